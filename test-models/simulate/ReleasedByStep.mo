//! run: simulate --format json
//! json: /completed == true
//! approx: /final/v == 1 +- 1e-6
// A lock that a step of force opens: its speed lies on the threshold of the condition and leaves it at once.
model ReleasedByStep
  Real v(start = 0, fixed = true);
  Real f;
  Real s(start = 0);
  Boolean locked(start = true), reached(start = true, fixed = true);
equation
  der(v) = (if time < 1 then -1 else 1) + f;
  reached = s >= 0;
  locked = pre(reached);
  s = if locked then f else -v;
  0 = if locked then v else f;
  annotation(experiment(StopTime = 2));
end ReleasedByStep;
