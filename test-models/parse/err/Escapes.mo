//! run: parse
//! exit: 1
//! code: MS0014 line 7
//! code: MS0013 line 8
//! code: MS0013 line 9
model Escapes
  constant String path = "C:\data\new";
  constant Integer big = 99999999999999999999;
  constant Real huge = 1e999;
end Escapes;
