//! run: parse
//! exit: 1
//! code: MS0016 line 9
//! code: MS0016 line 10
//! code: MS0007 line 11
//! code: MS0007 line 12
//! code: MS0016 line 13
model Commas
  Real x(start = 1 fixed = true);
  Real y = max(x 2);
  Real a, b,;
  Real z[3] = {1, 2, };
  Real w c;
end Commas;
