//! run: simulate --format json
//! approx: /final/w1 == 1.8 +- 1e-6
//! approx: /final/w2 == 1.2 +- 1e-6
//! approx: /final/n == 2 +- 0
// A lock that closes at a difference of 1.4 and opens above 1.2. It closes at 0.4 from 1.4 and 0, so both turn at 0.7, which
// is below 1.2 again: with the speeds before it would open in the same instant, and close, and so on. It opens at 1.4.
model LockThatHoldsItself
  Boolean locked(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;
equation
  locked = pre(locked) and w1 < 1.2 or not pre(locked) and w1 - w2 > 1.4;
  when change(locked) then
    n = pre(n) + 1;
  end when;
  der(w1) = 1 - tau;
  der(w2) = tau;
  if locked then
    w1 = w2;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 2));
end LockThatHoldsItself;
