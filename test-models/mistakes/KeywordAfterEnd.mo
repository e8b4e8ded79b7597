//! exit: 1
//! code: MS0003 line 9
//! snapshot
//! mend: 9: end KeywordAfterEnd;
model KeywordAfterEnd "Decay"
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end model KeywordAfterEnd;
