//! exit: 1
//! code: MS0015 line 5
//! snapshot
model KeywordUsedTwice
  parameter Real outer = 0.3;
  parameter Real wall = 0.1;
  Real area;
equation
  area = (1 - wall)*outer;
end KeywordUsedTwice;
