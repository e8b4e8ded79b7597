//! run: parse
//! exit: 1
//! code: MS0015 line 10
//! code: MS0015 line 11
//! code: MS0015 line 11
//! code: MS0015 line 13
//! code: MS0015 line 13
//! code: MS0015 line 13
model ReservedWords
  Real model;
  parameter Real initial = 1, output = 2;
equation
  model = initial + output;
end ReservedWords;
