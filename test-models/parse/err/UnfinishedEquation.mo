//! run: parse
//! exit: 1
//! code: MS0001 line 7
model UnfinishedEquation
  Real x, y;
equation
  x =
end UnfinishedEquation;
