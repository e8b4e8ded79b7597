//! run: simulate --format json
//! json: /completed == true
//! approx: /initial/x == 2 +- 1e-9
//! approx: /final/x == 2 +- 1e-9
//! approx: /final/y == 8 +- 1e-8
// Initial equations ask for a steady state of a nonlinear model.
model SteadyStart
  Real x(start = 1);
  Real y;
initial equation
  der(x) = 0;
equation
  der(x) = 8 - y;
  y = x^3;
  annotation(experiment(StopTime = 1));
end SteadyStart;
