//! run: simulate --stop-time 2
//! exit: 1
//! code: MS6009 line 10
//! snapshot
//! mend: 10:   der(h) = -2*sqrt(max(h, 0));
// Wrong: the level becomes negative, of which there is no root.
model TankRunsEmpty
  Real h(start = 1, fixed = true);
equation
  der(h) = -2*sqrt(h);
end TankRunsEmpty;
