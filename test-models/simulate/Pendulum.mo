//! run: simulate --format json
//! json: /completed == true
//! approx: /final/x == 0.2750874625761 +- 1e-6
//! approx: /final/y == -0.9614192050991 +- 1e-6
//! approx: /minimum/length2 == 1 +- 1e-9
//! approx: /maximum/length2 == 1 +- 1e-9
// In Cartesian coordinates, index 3; tools/simulate/reference.py computes the angle with another solver.
model Pendulum
  constant Real g = 9.81;
  Real x(start = 1);
  Real y;
  Real vx;
  Real vy;
  Real lambda;
  Real length2;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda*x;
  der(vy) = -lambda*y - g;
  x^2 + y^2 = 1;
  length2 = x^2 + y^2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end Pendulum;
