//! run: parse
//! exit: 1
//! code: MS0017 line 8
model DeclarationAmongEquations
  Real x;
equation
  x = y;
  parameter Real y = 2;
end DeclarationAmongEquations;
