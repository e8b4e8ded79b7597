//! exit: 1
//! code: MS0001 line 7
//! snapshot
//! mend: 7:   parameter Real R = 47e3;
// Wrong: a suffix for a power of ten, as circuit simulators have them.
model SuffixOfCircuitSimulator
  parameter Real R = 47k;
  Real i;
equation
  R*i = sin(time);
end SuffixOfCircuitSimulator;
