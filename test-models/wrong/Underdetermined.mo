//! run: check --class Underdetermined
//! exit: 1
//! code: MS4001 line 6
// Wrong: more variables than equations.
model Underdetermined
  Real x, y;
equation
  x + y = time;
end Underdetermined;
