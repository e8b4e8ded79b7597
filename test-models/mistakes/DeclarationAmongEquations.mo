//! exit: 1
//! code: MS0017 line 11
//! snapshot
//! mend: 8:   Real y;
//! mend: 11:
// Wrong: a variable is declared after `equation`.
model DeclarationAmongEquations

  Real x(start = 1, fixed = true);
equation
  Real y;
  der(x) = -x;
  y = 2*x;
end DeclarationAmongEquations;
