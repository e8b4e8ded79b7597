//! run: simulate
//! exit: 1
//! code: MS6009 line 10
//! snapshot
//! mend: 8:   Real x(start = 1, fixed = true);
// Wrong: a denominator is zero at the start.
model DivisionAtStart
  Real x(start = 0, fixed = true);
equation
  der(x) = 1/x;
end DivisionAtStart;
