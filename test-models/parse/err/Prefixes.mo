//! run: parse
//! exit: 1
//! code: MS0012 line 11
//! code: MS0012 line 12
//! code: MS0012 line 13
//! code: MS0012 line 14
//! code: MS0012 line 15
//! code: MS0012 line 16
//! code: MS0012 line 17
model Prefixes
  parameter final Real a = 1;
  input output Real b;
  constant parameter Real c = 2;
  parameter parameter Real d = 3;
  partial Real e;
  flow model M end M;
  M m(each inner x = 1);
end Prefixes;
