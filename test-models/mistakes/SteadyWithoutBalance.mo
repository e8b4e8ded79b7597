//! exit: 1
//! code: MS6002 line 12
//! snapshot
//! mend: 12:   level = 1;
// Wrong: what flows in and out does not depend on the level, so it is never steady.
model SteadyWithoutBalance
  Real level;
  Real inflow = 2;
  Real outflow = 1.5;
initial equation
  // A steady state is wanted.
  der(level) = 0;
equation
  der(level) = inflow - outflow;
end SteadyWithoutBalance;
