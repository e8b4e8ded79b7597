//! run: simulate --format json
//! approx: /final/c == 0.25 +- 1e-12
//! json: /final/held == 1
//! approx: /final/w2 == 1 +- 1e-9
//! json: /diagnostics len 0
// `held` keeps itself: what it holds keeps `c` low, and `c` is what it holds by. Without its start value it would never
// begin. Two inertias engage at 0.5, so modes are followed: w1 + w2 = 1 + time.
model LockedByTwoConditions
  Real c;
  Real level(start = 0, fixed = true);
  Boolean held(start = true, fixed = true);
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean engaged = time > 0.5;
equation
  der(level) = 1;
  c = if pre(held) then 0.25 else 2;
  held = level > -1 and c < 1;
  der(w1) = 1 - tau;
  der(w2) = tau;
  if engaged then
    w1 = w2;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 1));
end LockedByTwoConditions;
