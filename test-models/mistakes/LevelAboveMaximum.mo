//! run: check --deny warnings
//! exit: 1
//! code: MS2052 line 9
//! snapshot
//! mend: 9:   Real h(start = 2, fixed = true, min = 0, max = 3);
// Wrong: the tank starts fuller than it can be.
model LevelAboveMaximum
  parameter Real A(min = 0) = 2;
  Real h(start = 5, fixed = true, min = 0, max = 3);
equation
  A*der(h) = -0.1*h;
end LevelAboveMaximum;
