//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 3
//! approx: /events/0/time == 0.0105229632202 +- 1e-9
//! approx: /events/1/time == 0.329756655927 +- 1e-9
//! approx: /events/2/time == 0.329756655927 +- 1e-9
//! approx: /final/j1 == -9.07998595293e-06 +- 1e-10
//! approx: /final/v1 == 0.768222728141 +- 1e-9
//! approx: /final/v2 == 0.768222728141 +- 1e-9
// The circuit of RR-9334 (195) through its mode changes. A diode that blocks has `u <= 0`, so that the parameter of its
// curve is `s = if g then i else u`; with `-u`, as printed, a diode that blocks would pass at once, and the model has no
// trajectory with mode changes. The start values are consistent: `j1 + j2 < 0`, and the capacitor with the lower
// voltage conducts. First one diode passes, then both (index 1), then both block (index 1).
model RLDC2Diodes
  parameter Real R1 = 10;
  parameter Real R2 = 15;
  parameter Real L1 = 1;
  parameter Real L2 = 1.5;
  parameter Real C1 = 0.1;
  parameter Real C2 = 0.15;
  Real i1;
  Real i2;
  Real j1(start = -2, fixed = true);
  Real j2(start = -1, fixed = true);
  Real u1;
  Real u2;
  Real v1(start = -0.5, fixed = true);
  Real v2(start = -0.2, fixed = true);
  Real w1;
  Real w2;
  Real x1;
  Real x2;
  Real s1(start = 3);
  Real s2(start = -0.3);
  Boolean g1, reached1(start = true, fixed = true);
  Boolean g2, reached2(start = false, fixed = true);
equation
  0 = j1 + i1 + i2 + j2;
  x1 + w1 = u1 + v1;
  u1 + v1 = u2 + v2;
  u2 + v2 = x2 + w2;
  x1 = R1*j1;
  x2 = R2*j2;
  w1 = L1*der(j1);
  w2 = L2*der(j2);
  i1 = C1*der(v1);
  i2 = C2*der(v2);
  s1 = if g1 then i1 else u1;
  s2 = if g2 then i2 else u2;
  0 = if g1 then u1 else i1;
  0 = if g2 then u2 else i2;
  reached1 = s1 >= 0;
  g1 = pre(reached1);
  reached2 = s2 >= 0;
  g2 = pre(reached2);
  annotation(experiment(StopTime = 1, Tolerance = 1e-9));
end RLDC2Diodes;
