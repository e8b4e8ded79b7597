//! exit: 1
//! code: MS0021 line 12
//! snapshot
// Wrong: colons end the condition and the `else`, as in Python.
model ColonAfterCondition
  parameter Real limit = 2;
  Real inflow = 1 + sin(time);
  Real level(start = 0, fixed = true);
  Real outflow;
equation
  der(level) = inflow - outflow;
  if level > limit:
    outflow = 3*(level - limit);
  else:
    outflow = 0;
  end if;
end ColonAfterCondition;
