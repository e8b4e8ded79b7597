//! run: parse
//! exit: 1
//! code: MS0005 line 7
//! code: MS0005 line 8
//! code: MS0005 line 10
model UnclosedParenthesis
  Real x(start = 1, fixed = true;
  Real y = 2*(x + x[1];
equation
  x = sin(y;
  y = 1;
end UnclosedParenthesis;
