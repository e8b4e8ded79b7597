//! run: flatten --class NoEventSmooth
// noEvent and smooth, events in relations; sqrt guarded, friction regularised, delay, semiLinear, homotopy.
model NoEventSmooth
  Real x(start = 1, fixed = true);
  Real a = noEvent(if x > 0 then sqrt(x) else 0);
  Real b = smooth(1, if x > 0.5 then (x - 0.5)^2 else 0);
  Real c = smooth(0, noEvent(if x < 0 then -x else x));
  Real d = delay(x, 0.1);
  Real e = delay(x, time/2, 5.0);
  Real f = semiLinear(x - 0.5, 2, 3);
  Real g = homotopy(actual = x^3, simplified = x);
  Real far = if noEvent(abs(x) > 0.7) then 1 else 0;
equation
  der(x) = -c + 0.1*sin(10*time);
end NoEventSmooth;
