//! exit: 1
//! code: MS2034 line 14
//! snapshot
//! mend: 14:     reinit(level, 0.1);
// Wrong: what is reset follows from the state.
model ResetOfInflow
  parameter Real most = 2;
  Real level(start = 0.1, fixed = true);
  Real inflow;
equation
  inflow = min(most, 5*(1 - level));
  der(level) = inflow;
  when sample(3, 3) then
    reinit(inflow, most);
  end when;
end ResetOfInflow;
