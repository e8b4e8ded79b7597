//! exit: 1
//! code: MS4013 line 9
//! snapshot
//! mend: 12: equation
// Wrong: an equation is in the section `initial equation`.
model EquationAtStartOnly
  Real x(start = 1, fixed = true);
  // Twice the state.
  Real y;
equation
  der(x) = -x;
initial equation
  y = 2*x;
end EquationAtStartOnly;
