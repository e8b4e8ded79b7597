//! run: simulate --format json
//! json: /completed == true
//! approx: /final/level == 0 +- 1e-5
//! approx: /final/emptied == 1 +- 1e-3
//! approx: /final/z == 0.8333333333333334 +- 1e-5
//! approx: /final/before == 3 +- 1e-6
//! approx: /final/w == 0 +- 1e-12
// A root that an `if` guards has no value beyond its threshold, where a step across the event would need one.
//   level:  runs out by Torricelli's law, h = (1 - t)^2, and rests
//   z:      the integral of sqrt(x), 1/3 up to 0.5, then of 1
//   before: pre of a root at its threshold
//   w:      the same in an equation that is solved for its unknown
model RootBesideThreshold
  Real level(start = 1, fixed = true), x(start = 1, fixed = true), z(start = 0, fixed = true);
  Real y, w;
  discrete Real before(start = -1, fixed = true), emptied(start = -1, fixed = true);
equation
  der(level) = if level > 0 then -2*sqrt(level) else 0;
  der(x) = -2;
  der(z) = if x >= 0 then sqrt(x) elseif time < 1 then 1 else 0;
  y = if x >= 0 then sqrt(x) + 3 else 0;
  w^3 + w = if x > 0 then x^1.5 else 0;
  when x < 0 then
    before = pre(y);
  end when;
  when level <= 0 then
    emptied = time;
  end when;
  annotation(experiment(StopTime = 2));
end RootBesideThreshold;
