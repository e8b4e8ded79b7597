//! run: simulate --format json --stop-time 0.9
//! approx: /final/x == -0.85 +- 1e-6
//! json: /final/resets == 3
//! approx: /final/high == 0.5 +- 1e-6
// Inside a `when` a relation is what it is at the instant: at 0.5 the time is not beyond 0.5.
model ResetByCondition
  Real x(start = 0, fixed = true);
  Integer resets(start = 0, fixed = true);
  Real high(start = 0, fixed = true);
  Real w1(start = 1, fixed = true);
  Real w2(start = 0, fixed = true);
  Real tau;
equation
  der(x) = 1;
  der(high) = if x > 1.5 then 1 else 0;
  when sample(0.25, 0.25) then
    resets = pre(resets) + 1;
    if time > 0.5 then
      reinit(x, -1);
    else
      reinit(x, 2);
    end if;
  end when;
  der(w1) = 1 - tau;
  der(w2) = tau - 0.25;
  if time >= 0.125 then
    w1 = w2;
  else
    tau = 0;
  end if;
end ResetByCondition;
