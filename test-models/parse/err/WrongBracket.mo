//! run: parse
//! exit: 1
//! code: MS0005 line 7
//! code: MS0005 line 8
//! code: MS0007 line 8
model WrongBracket
  Real x[2] = {1, 2];
  Real y = sin(x[1}) + 1);
end WrongBracket;
