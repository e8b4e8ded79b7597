//! run: check --deny fixpoints
//! run: modes --format json
//! json: /loops/0/status != "undecided"
// What the force is before the loop depends on a condition that is known there.
model ReleasedClutch "A clutch in one direction that a force closes"
  parameter Real tau_low = 1e-4, peak = 1.1;
  input Real u, t1, t2;
  Real w(start = 1, fixed = true), a, tau, sa, fn, tau0, tau0_max;
  Boolean free, sliding(start = false, fixed = true), stuck(start = false, fixed = true), locked;
equation
  free = u <= 0;
  fn = if free then 0 else 5*u;
  tau0 = 0.6*fn;
  tau0_max = if free then tau_low else peak*tau0;
  der(w) = a;
  a = t1 - t2 - 2*tau;
  sliding = pre(stuck) and (sa > tau0_max or pre(sliding) and sa > tau0);
  locked = pre(stuck) and not sliding;
  a = if locked then 0 else sa - tau0;
  tau = if locked then sa elseif free then 0 else 0.6*fn;
  stuck = locked or w <= 0;
end ReleasedClutch;
