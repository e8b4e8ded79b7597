//! run: simulate --format json
//! json: /completed == true
//! json: /initial/g1 == 0.0
//! json: /initial/g2 == 1.0
//! approx: /initial/j1 == -1 +- 1e-12
//! approx: /final/j1 == -0.403577834623 +- 1e-6
//! approx: /final/j2 == 0.0497769592665 +- 1e-6
//! approx: /final/v2 == -0.436556681324 +- 1e-6
// The circuit of RR-9334 (195) with start values that fit a mode: one diode passes, one blocks.
model RLDC2
  parameter Real R1 = 10;
  parameter Real R2 = 15;
  parameter Real L1 = 1;
  parameter Real L2 = 1.5;
  parameter Real C1 = 0.1;
  parameter Real C2 = 0.15;
  Real i1;
  Real i2;
  Real j1(start = -1, fixed = true);
  Real j2(start = 0.2, fixed = true);
  Real u1;
  Real u2;
  Real v1(start = -1, fixed = true);
  Real v2(start = -0.8, fixed = true);
  Real w1;
  Real w2;
  Real x1;
  Real x2;
  Real s1;
  Real s2;
  Boolean g1, reached1(start = true, fixed = true);
  Boolean g2, reached2(start = true, fixed = true);
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
  s1 = if g1 then i1 else -u1;
  s2 = if g2 then i2 else -u2;
  0 = if g1 then u1 else i1;
  0 = if g2 then u2 else i2;
  reached1 = s1 >= 0;
  g1 = pre(reached1);
  reached2 = s2 >= 0;
  g2 = pre(reached2);
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-9));
end RLDC2;
