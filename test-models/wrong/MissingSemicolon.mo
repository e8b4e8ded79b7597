//! run: check --class MissingSemicolon
//! exit: 1
//! code: MS0002 line 6
// Wrong: a semicolon is missing between two declarations.
model MissingSemicolon
  Real x = time
  Real y = 2*time;
end MissingSemicolon;
