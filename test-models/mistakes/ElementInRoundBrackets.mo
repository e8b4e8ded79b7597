//! exit: 1
//! code: MS2042 line 10
//! snapshot
//! mend: 10:   height = position[3]/2;
// Wrong: an element of an array in round brackets.
model ElementInRoundBrackets
  Real position[3] = {1, 2, time};
  Real height;
equation
  height = position(3)/2;
end ElementInRoundBrackets;
