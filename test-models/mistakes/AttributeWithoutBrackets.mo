//! exit: 1
//! code: MS0016 line 6
//! snapshot
//! mend: 6:   Real x(start = 1) "amount";
model AttributeWithoutBrackets "Decay"
  Real x start = 1 "amount";
equation
  der(x) = -x;
end AttributeWithoutBrackets;
