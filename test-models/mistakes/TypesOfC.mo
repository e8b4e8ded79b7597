//! exit: 1
//! code: MS2002
//! snapshot
//! mend: 8:   parameter Real m = 2;
//! mend: 9:   Integer n = 3;
// Wrong: types as C calls them.
model TypesOfC
  parameter double m = 2;
  int n = 3;
  Real x(start = 1, fixed = true);
equation
  m*der(x) = -n*x;
end TypesOfC;
