//! run: simulate --input Driven.csv --format json
//! json: /completed == true
//! approx: /final/x == 0.5 +- 1e-9
//! json: /final/count == 2.0
//! json: /final/rows == 2.0
//! json: /final/changes == 3.0
//! json: /final/above == 1.0
//! json: /final/last == 1.0
//! json: /final/edges == 1.0
// Counters beside inputs from a table, at the rows of which several inputs change at once: `on` and `n` at 0.5, `u` jumps
// back at 1, and crosses 0.75 on its way at 0.75.
model DrivenCounter
  input Real u;
  input Integer n;
  input Boolean on;
  discrete Integer count(start = 0, fixed = true);
  discrete Integer rows(start = 0, fixed = true) "times that a wire from `on` changes";
  discrete Integer changes(start = 0, fixed = true) "of any input that is held";
  discrete Integer above(start = 0, fixed = true);
  discrete Integer edges(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true) "`u` before it jumps back";
  Boolean wire = not on;
  Real x(start = 0, fixed = true);
equation
  der(x) = u;
  when on then
    count = pre(count) + n;
  end when;
  when change(wire) then
    rows = pre(rows) + 1;
  end when;
  when {change(on), change(n)} then
    changes = pre(changes) + (if change(on) and change(n) then 2 else 1);
  end when;
  when edge(on) then
    edges = pre(edges) + 1;
  end when;
  when u > 0.75 then
    above = pre(above) + 1;
  end when;
  when u < 0.25 then
    last = pre(u);
  end when;
  annotation(experiment(StopTime = 2, Tolerance = 1e-10));
end DrivenCounter;
