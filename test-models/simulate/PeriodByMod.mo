//! run: simulate --format json
//! json: /completed == true
//! approx: /final/w1 == 1.1499 +- 1e-6
//! approx: /final/w2 == 1.05 +- 1e-6
//! json: /final/n == 5
// The shafts engage in the first half of each period of 0.2. At 0.5 the remainder is 0.09999999999999998 in floating-point
// numbers: the condition is over at its instant all the same. Together they gain 1 in a second: at 1.1 both turn at 1.05, and then
// only the first one gains.
model PeriodByMod
  Boolean engaged;
  Integer n(start = 0, fixed = true);
  Real w1(start = 0.5, fixed = true), w2(start = 0.5, fixed = true), tau;
equation
  engaged = mod(time, 0.2) < 0.1;
  when engaged then
    n = pre(n) + 1;
  end when;
  der(w1) = 1 - tau;
  der(w2) = tau;
  if engaged then
    w1 = w2;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 1.1999));
end PeriodByMod;
