//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 2
//! approx: /events/0/time == 5 +- 1e-9
//! approx: /events/0/jumps/w1/after == 1.28631 +- 1e-6
//! approx: /events/0/jumps/w2/after == 1.28631 +- 1e-6
//! json: /events/0/impulses/f1/order == "1"
//! json: /events/1/jumps len 0
//! approx: /final/w1 == 1.22970884296 +- 1e-6
//! run: simulate --events --plot w1,w2
//! stdout: 5  t >= t1 becomes true  w1: 0.951229 → 1.28631
//! run: simulate
//! stdout:   modes     5: t >= t1, g; 7: not t <= t2, not g
//! run: simulate --profile
//! stdout: iterations  block
//! stdout: 1 of 4 iterated: der(w1), f2, der(w2), f1
// The ideal clutch of RR-9334, figure 2, on which Modelica tools divide by zero at time 5.
model ClutchBasic
  parameter Real w01 = 1;
  parameter Real w02 = 1.5;
  parameter Real j1 = 1;
  parameter Real j2 = 2;
  parameter Real k1 = 0.01;
  parameter Real k2 = 0.0125;
  parameter Real t1 = 5;
  parameter Real t2 = 7;
  Real t(start = 0, fixed = true);
  Boolean g(start = false);
  Real w1(start = w01, fixed = true);
  Real w2(start = w02, fixed = true);
  Real f1;
  Real f2;
equation
  der(t) = 1;
  g = t >= t1 and t <= t2;
  j1*der(w1) = -k1*w1 + f1;
  j2*der(w2) = -k2*w2 + f2;
  0 = if g then w1 - w2 else f1;
  f1 + f2 = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end ClutchBasic;
