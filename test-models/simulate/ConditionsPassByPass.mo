//! run: simulate --format json
//! approx: /final/w1 == 1.5 +- 1e-6
//! approx: /final/w2 == 1 +- 1e-6
//! run: check
//! code: MS4004
// The shafts engage at 0.4, when they are 1.4 apart, and both turn at 0.7. `over` reads the left limit of `near`, so it is
// computed in the next pass of the event iteration, and there `w1 > 1` is false: the speed just before counts no longer.
// Engaged they gain 0.5 in a second, so they are released at 1 with w1 = w2 = 1.
model ConditionsPassByPass
  Boolean near(start = false, fixed = true);
  Boolean over(start = false, fixed = true);
  Boolean engaged;
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;
equation
  near = w1 - w2 > 1.4 or pre(near);
  over = pre(near) and w1 > 1 or pre(over);
  engaged = near and not over;
  der(w1) = 1 - tau;
  der(w2) = tau;
  if engaged then
    w1 = w2;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 1.5));
end ConditionsPassByPass;
