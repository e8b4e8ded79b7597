//! run: simulate --format json --stop-time 1
//! approx: /final/s == 1.5 +- 1e-6
//! approx: /final/w1 == 0.875 +- 1e-6
// The ratio is that of the gear just before, and the gear depends on the ratio. At 0.5 the first gear is tried; its ratio is
// too high, so the third one follows in the same event. Beside it a clutch closes, so the model is run mode by mode.
model RatioOfLastGear
  type Gear = enumeration(first, second, third);
  parameter Real ratio[Gear] = {3, 2, 1};
  Gear gear(start = Gear.second, fixed = true);
  Real r;
  Real s(start = 0, fixed = true);
  Real w1(start = 1, fixed = true);
  Real w2(start = 0, fixed = true);
  Real tau;
equation
  r = ratio[pre(gear)];
  gear = if r > 2.5 then Gear.third elseif time >= 0.5 and pre(gear) == Gear.second then Gear.first else pre(gear);
  der(s) = r;
  der(w1) = 1 - tau;
  der(w2) = tau - 0.25;
  if time >= 0.25 then
    w1 = w2;
  else
    tau = 0;
  end if;
end RatioOfLastGear;
