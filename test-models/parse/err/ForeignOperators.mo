//! run: parse
//! exit: 1
//! code: MS0009 line 11
//! code: MS0009 line 11
//! code: MS0009 line 11
//! code: MS0009 line 11
//! code: MS0009 line 12
//! code: MS0009 line 13
//! code: MS0009 line 14
model ForeignOperators
  Boolean a = x != 1 && !b || c;
  Real x = 2**3;
  Real größe = 1;
  Real y = 2 − 1;
end ForeignOperators;
