//! run: simulate --format json
//! approx: /final/x == 0.5 +- 1e-9
//! approx: /final/level == -1 +- 1e-9
//! json: /final/n == 0
// The first `when` resets `x` and, by `n`, fires the second one, which resets what the condition of the first one reads.
// Both happen at 0.5625, whatever locks: the specification evaluates all equations of an instant together.
model ResetsInOneEvent
  Integer n(start = 2, fixed = true);
  Real x(start = -1, fixed = true);
  Real level(start = 0.25, fixed = true);
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean locked(start = false, fixed = true);
equation
  when change(n) then
    reinit(level, -1);
  end when;
  when 2*level + time >= 1.0625 then
    n = 0;
    reinit(x, 0.5);
  end when;
  der(x) = 0;
  der(level) = 0;
  locked = x > -0.875;
  der(w1) = 1 - tau;
  der(w2) = tau - 0.25;
  if locked then
    w1 = w2;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 1));
end ResetsInOneEvent;
