//! run: simulate --format json
//! json: /completed == true
//! json: /initial/x == 3.0
//! json: /initial/y == 4.0
//! json: /initial/on == 1.0
//! json: /final/x == 5.0
//! approx: /final/z == 1.5 +- 1e-9
// What `initial()` enables holds at the start: `pre(x)` is the start value there.
model WhenInitial
  discrete Real x(start = 1);
  discrete Real y;
  Boolean on(start = false);
  Real z(start = 0, fixed = true);
equation
  when {initial(), time > 0.5} then
    x = pre(x) + 2;
    y = x + 1;
  end when;
  when initial() then
    on = true;
  end when;
  der(z) = if on then 1.5 else 0;
  annotation(experiment(StopTime = 1));
end WhenInitial;
