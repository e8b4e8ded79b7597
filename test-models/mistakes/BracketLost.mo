//! exit: 1
//! code: MS0005 line 11
//! snapshot
//! mend: 11:   y = sin(a*(time + 1));
// Wrong: a bracket is missing in the middle of a line.
model BracketLost
  parameter Real a = 2;
  Real y;
  Real z;
equation
  y = sin(a*(time + 1);
  z = y + 1;
end BracketLost;
