//! run: parse
//! exit: 1
//! code: MS0001 line 7
//! code: MS0001 line 8
//! code: MS0001 line 9
model SignedOperands
  Real x = 2*-3;
  Real y = x^-1 + 2;
  Real z = x - -f(y);
end SignedOperands;
