//! run: parse
//! exit: 1
//! code: MS0015 line 7
//! code: MS0015 line 8
//! code: MS0015 line 8
model ReservedWords
  Real model;
  parameter Real initial = 1, output = 2;
equation
  model = initial + output;
end ReservedWords;
