//! run: simulate --format json
//! json: /completed == true
//! approx: /final/y == 1.2 +- 1e-6
//! approx: /final/z == 0.21 +- 1e-6
//! run: check
// Delays whose time changes. y is what x was d ago, and d grows with time from nothing: x(2 - 0.8) with x = time. The delay of z
// depends on a state, q = 0.7 time: at the end it is one second, so z is 0.3 q(1).
model DelayThatGrows
  Real x = time;
  Real d = 0.4*time;
  Real y = delay(x, d, 1);
  Real q(start = 0, fixed = true);
  Real z;
equation
  der(q) = 0.7;
  z = delay(0.3*q, 2 - q/1.4, 3);
  annotation(experiment(StopTime = 2));
end DelayThatGrows;
