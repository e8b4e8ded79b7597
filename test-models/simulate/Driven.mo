//! run: simulate --input Driven.csv --format json
//! json: /completed == true
//! approx: /final/x == 0.135335283237 +- 1e-9
//! approx: /final/y == 0.75 +- 1e-9
//! approx: /final/z == 3.5 +- 1e-9
// Inputs from a table: a ramp that jumps back to zero (closed form), an integer and a Boolean that are held.
model Driven
  input Real u;
  input Integer n;
  input Boolean on;
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
  Real z(start = 0, fixed = true);
equation
  der(x) = u - x;
  der(y) = if on then 1 else 0;
  der(z) = n;
  annotation(experiment(StopTime = 2, Tolerance = 1e-10));
end Driven;
