//! exit: 1
//! code: MS2033 line 10
//! snapshot
//! mend: 10:   if level > 0 then
// Wrong: a condition is a number.
model NumberAsCondition
  Real level = 2*time;
  Real valve;
equation
  if level then
    valve = 1;
  else
    valve = 0;
  end if;
end NumberAsCondition;
