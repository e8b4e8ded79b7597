//! exit: 1
//! code: MS0009 line 7
//! snapshot
//! mend: 7:   Boolean high = x >= 0.5;
model ArrowForComparison "Level switch"
  Real x = sin(time);
  Boolean high = x => 0.5;
end ArrowForComparison;
