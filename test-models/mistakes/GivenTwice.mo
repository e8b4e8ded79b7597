//! exit: 1
//! code: MS4001 line 7
//! snapshot
//! mend: 7:   Real u;
// Wrong: a variable has a declaration equation and another equation.
model GivenTwice
  Real u = 5*time;
  Real y(start = 0, fixed = true);
equation
  der(y) = u - y;
  u = sin(time);
end GivenTwice;
