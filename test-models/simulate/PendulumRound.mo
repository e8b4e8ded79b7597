//! run: simulate --format json
//! json: /completed == true
//! approx: /final/x == -0.915728346702844 +- 1e-6
//! approx: /final/vy == -4.245734179733552 +- 1e-6
// It goes round and round: no coordinate is a good state all the way.
model PendulumRound
  constant Real g = 9.81;
  Real x(start = 0, fixed = true);
  Real y(start = -1);
  Real vx(start = 7, fixed = true);
  Real vy;
  Real lambda;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda*x;
  der(vy) = -lambda*y - g;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 10, Tolerance = 1e-10));
end PendulumRound;
