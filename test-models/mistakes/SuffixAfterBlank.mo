//! exit: 1
//! code: MS0001 line 6
//! snapshot
//! mend: 6:   parameter Real R = 4.7e3;
model SuffixAfterBlank "Resistance"
  parameter Real R = 4.7 k;
  Real v = R*time;
end SuffixAfterBlank;
