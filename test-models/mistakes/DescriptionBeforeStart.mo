//! exit: 1
//! code: MS0001 line 6
//! snapshot
//! mend: 6:   Real x(start = 1) "amount";
model DescriptionBeforeStart "Decay"
  Real x "amount" (start = 1);
equation
  der(x) = -x;
end DescriptionBeforeStart;
