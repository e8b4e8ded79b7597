//! run: simulate --format json
//! json: /completed == true
//! approx: /final/v == 0.5 +- 1e-9
//! approx: /final/w == 0.6321205588 +- 1e-6
// A capacitance of zero leaves an algebraic equation: what is multiplied by it does not occur.
model NoCapacitance
  parameter Real c0 = 0;
  Real c, v, w(start = 0, fixed = true);
equation
  c = 2*c0;
  c*der(v) = 1 - 2*v;
  der(w) = 1 - w;
  annotation(experiment(StopTime = 1));
end NoCapacitance;
