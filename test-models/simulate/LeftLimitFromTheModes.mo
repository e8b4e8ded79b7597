//! run: simulate --format json
//! json: /completed == true
//! approx: /final/n == 1 +- 1e-12
//! approx: /final/x == 0.75 +- 1e-6
// An initial equation between left limits, one of a condition that stays with the modes: `pre(closed)` is true at the start, as
// its fixed start value says, although the clutch is open then. So `awake` holds until 0.75.
model LeftLimitFromTheModes
  Real w1(start = 2, fixed = true), w2(start = 0, fixed = true), t, x(start = 0, fixed = true);
  Boolean awake;
  Boolean closed(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
initial equation
  pre(awake) = pre(closed);
equation
  der(w1) = -t;
  der(w2) = t;
  closed = time > 0.5;
  if closed then
    w1 = w2;
  else
    t = 0;
  end if;
  awake = pre(awake) and time < 0.75;
  when not awake then
    n = pre(n) + 1;
  end when;
  der(x) = if awake then 1 else 0;
end LeftLimitFromTheModes;
