//! run: simulate --format json
//! json: /completed == true
//! approx: /final/u1 == 0.38248177311865567 +- 1e-8
//! approx: /final/u2 == 0.2784700925843997 +- 1e-8
// Exponential diodes and resistors: one block of ten equations, torn, then Newton's method.
model DiodeNetwork
  parameter Real Is = 1e-9;
  parameter Real Vt = 0.025;
  Real v;
  Real i1;
  Real i2;
  Real i3;
  Real u1;
  Real u2;
  Real d1;
  Real d2;
  Real x(start = 0, fixed = true);
equation
  v = 5*time;
  v - u1 = 1000*i1;
  u1 - u2 = 500*i2;
  u2 = 2000*i3;
  d1 = Is*(exp(u1/Vt) - 1);
  d2 = Is*(exp(u2/Vt) - 1);
  i1 = i2 + d1;
  i2 = i3 + d2;
  der(x) = i1;
  annotation(experiment(StopTime = 1));
end DiodeNetwork;
