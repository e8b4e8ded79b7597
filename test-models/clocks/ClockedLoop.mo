//! run: simulate --format json
//! json: /completed == true
//! approx: /final/x == 3.067698081 +- 1e-6
//! approx: /final/y == 0.432301919 +- 1e-6
//! approx: /final/z == 2.214071422 +- 1e-6
//! approx: /final/s == 5.281769503 +- 1e-6
// Two equations are solved together at each tick, and a third one is not linear.
model ClockedLoop
  Real u, x(start = 1), y(start = 1), z(start = 2), s;
equation
  u = sample(time, Clock(1, 4));
  x + y = 3 + u;
  x - 2*y = previous(z);
  z^3 + z = x + 10;
  s = hold(z) + hold(x);
  annotation(experiment(StopTime = 0.6));
end ClockedLoop;
