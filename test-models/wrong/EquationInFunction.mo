//! run: check --class EquationInFunction
//! exit: 1
//! code: MS2031 line 9
// Wrong: a function with an equation section.
function f
  input Real u;
  output Real y;
equation
  y = 2*u;
end f;
model EquationInFunction
  Real y = f(time);
end EquationInFunction;
