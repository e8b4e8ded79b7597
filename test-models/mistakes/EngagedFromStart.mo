//! run: simulate --stop-time 1
//! code: MS6013
//! snapshot
// Doubtful: two wheels that are one at the start have different start values; a run starts as after an impact.
model EngagedFromStart
  Real w1(start = 4), w2(start = 1);
  Real t1, t2;
  Boolean engaged = time < 3;
equation
  2*der(w1) = t1 - 0.1*w1;
  1*der(w2) = t2 - 0.2*w2;
  if engaged then
    w1 = w2;
    t1 + t2 = 0;
  else
    t1 = 0;
    t2 = 0;
  end if;
end EngagedFromStart;
