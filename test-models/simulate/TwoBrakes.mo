//! run: simulate --format json
//! code: MS6019 line 9
//! json: /completed == true
//! approx: /final/w == 0.25 +- 1e-6
//! approx: /final/both == 0.5 +- 1e-9
// Two locked brakes on one shaft: how they share the torque is not determined, the rest is.
model TwoBrakes
  Real w(start = 1, fixed = true);
  Real tau1;
  Real tau2;
  Real both = tau1 + tau2;
  Boolean locked = time >= 0.5;
equation
  der(w) = 0.5 - both;
  0 = if locked then der(w) else tau1 - 1;
  0 = if locked then der(w) else tau2 - 1;
end TwoBrakes;
