//! run: simulate
//! exit: 1
//! code: MS6002 line 8
//! stderr: this must hold as well
//! stderr: leave out one of these: `fixed = true` of `x` or the initial equation
// A state that is given twice, once through a ratio.
model TooManyInitialEquations
  Real x(start = 1, fixed = true);
  Real y;
  Real z(start = 7, fixed = true);
initial equation
  y = 4;
equation
  der(x) = -x;
  der(z) = -z;
  y = 2*x;
end TooManyInitialEquations;
