//! run: simulate --format json --stop-time 1
//! approx: /final/slip == 0.76025390625 +- 1e-6
//! approx: /final/w1 == 0.875 +- 1e-6
// The position is set so that one condition of the lock ends and the other one begins: both change in one pass, and the lock
// stays open until both hold, at 0.5625. Up to then the speeds differ by 1 + 1.25*time.
model SlipUntilBothHold
  Real x(start = 2, fixed = true);
  Real w1(start = 1, fixed = true);
  Real w2(start = 0, fixed = true);
  Real slip(start = 0, fixed = true);
  Real tau;
  Boolean locked;
equation
  der(x) = 0;
  when time >= 0.5 then
    reinit(x, 0.25);
  end when;
  locked = 2*x + time >= 1.0625 and x <= 1.125;
  der(slip) = w1 - w2;
  der(w1) = 1 - tau;
  der(w2) = tau - 0.25;
  if locked then
    w1 = w2;
  else
    tau = 0;
  end if;
end SlipUntilBothHold;
