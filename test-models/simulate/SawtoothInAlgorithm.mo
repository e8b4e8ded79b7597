//! run: simulate --format json --stop-time 1
//! approx: /final/dwell == 0.3 +- 1e-6
//! approx: /final/area == 0.14 +- 1e-6
//! approx: /final/w1 == 0.875 +- 1e-6
// A sawtooth that an algorithm computes jumps at its teeth, also in a model whose structure changes: a clutch closes at 0.25.
model SawtoothInAlgorithm
  Real saw;
  Boolean high;
  Real dwell(start = 0, fixed = true);
  Real area(start = 0, fixed = true);
  Real w1(start = 1, fixed = true);
  Real w2(start = 0, fixed = true);
  Real tau;
algorithm
  saw := mod(time, 0.3);
  high := saw > 0.2;
equation
  der(area) = saw;
  der(dwell) = if high then 1 else 0;
  der(w1) = 1 - tau;
  der(w2) = tau - 0.25;
  if time >= 0.25 then
    w1 = w2;
  else
    tau = 0;
  end if;
end SawtoothInAlgorithm;
