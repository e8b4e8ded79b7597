//! run: simulate --stop-time 1 --format json
//! json: /event_count == 18
//! json: /final/k == 8.0
// A delayed value that does not change between steps is met exactly: its integer part jumps with it, and only then.
model DelayedSteps
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Real r = n;
  Integer k = integer(delay(r, 0.17));
equation
  der(x) = 100*cos(70*time) - 3*x;
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
  end when;
end DelayedSteps;
