//! run: simulate --format json
//! json: /completed == true
//! json: /solver == "bdf"
//! approx: /final/y == 0.5403023058681 +- 1e-4
//! run: simulate --method radau5 --tolerance 1e-9 --format json
//! approx: /final/y == 0.5403107206 +- 1e-6
// The explicit method notices that stability limits its steps.
model Stiff
  Real y(start = 0, fixed = true);
equation
  der(y) = -1e5*(y - cos(time));
  annotation(experiment(StopTime = 1));
end Stiff;
