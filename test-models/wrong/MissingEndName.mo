//! run: check --class MissingEndName
//! exit: 1
//! code: MS0003 line 5
// Wrong: the name after end is not that of the class.
model MissingEndName
  Real x = time;
end MissingEnd;
