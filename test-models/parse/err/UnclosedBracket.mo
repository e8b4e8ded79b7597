//! run: parse
//! exit: 1
//! code: MS0005 line 7
//! code: MS0005 line 8
//! code: MS0005 line 9
model UnclosedBracket
  Real t[2, 2] = [1, 2; 3, 4;
  Real u[2] = {1, 2;
  Real v[3] = t[1, :;
equation
  u = v;
end UnclosedBracket;
