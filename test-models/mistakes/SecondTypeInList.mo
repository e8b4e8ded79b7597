//! exit: 1
//! code: MS0007 line 7
//! snapshot
//! mend: 7:   parameter Real m = 2, k = 3;
// Wrong: a declaration lists a second type.
model SecondTypeInList
  parameter Real m = 2, Real k = 3;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  m*der(v) = -k*x;
end SecondTypeInList;
