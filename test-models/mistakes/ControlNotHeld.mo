//! exit: 1
//! code: MS2072 line 13
//! snapshot
//! mend: 13:   der(level) = 0.3 - hold(valve);
// Wrong: a clocked value drives an equation in continuous time.
model ControlNotHeld
  Real level(start = 1, fixed = true);
  Real measured;
  Real valve;
equation
  measured = sample(level, Clock(0.1));
  valve = 2*(measured - 0.5);
  der(level) = 0.3 - valve;
end ControlNotHeld;
