//! run: parse
//! exit: 1
//! code: MS0017 line 6
model EquationAmongDeclarations
  Real x, y;
  connect(a, b);
  der(x) = -x;
  y = x;
end EquationAmongDeclarations;
