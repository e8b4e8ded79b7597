//! run: parse
//! exit: 1
//! code: MS0001 line 8
//! code: MS0001 line 9
//! code: MS0007 line 10
//! code: MS0009 line 11
model StrayToken
  Real x = 1 2;
  Real y = * 3;
  Real z) = 4;
  Real w = 5 @ 6;
end StrayToken;
