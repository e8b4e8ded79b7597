//! run: parse
//! exit: 1
//! code: MS0002 line 6
//! code: MS0002 line 8
model MissingSemicolonDeclaration
  Real x(start = 1)
  parameter Real y = 2;
  Real z
equation
  x = y;
  z = x;
end MissingSemicolonDeclaration;
