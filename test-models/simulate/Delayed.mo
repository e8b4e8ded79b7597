//! run: simulate --format json
//! json: /completed == true
//! approx: /final/x == -0.166666666667 +- 1e-7
//! approx: /final/y == 0.7 +- 1e-7
// x' = −x(t − 1) with x = 1 before the start has polynomials as its solution, one per unit of time. y follows a jump.
model Delayed
  Real x(start = 1, fixed = true);
  Real step = if time < 0.5 then 0 else 1;
  Real y(start = 0, fixed = true);
equation
  der(x) = -delay(x, 1);
  der(y) = delay(step, 1.8);
  annotation(experiment(StopTime = 3, Tolerance = 1e-9));
end Delayed;
