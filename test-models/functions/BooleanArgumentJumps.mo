//! run: simulate --stop-time 2 --format json
//! json: /completed == true
//! approx: /final/y == 8 +- 1e-9
//! approx: /final/x == 8 +- 1e-6
//! approx: /final/z == 8 +- 1e-6
// `x - y` is constant, so `x` jumps with `y` when the truth that the function is told changes: from 3 to 5 at time 1. The same
// holds where the expression has no name.
model BooleanArgumentJumps
  function f
    input Real t;
    input Boolean late;
    output Real y;
  algorithm
    y := 3*t + (if late then 2 else 0);
  end f;
  Boolean late = time >= 1;
  Real y = f(time, time >= 1);
  Real x(start = 0, fixed = true);
  Real z(start = 0, fixed = true);
equation
  der(x) = der(y);
  der(z) = der(f(time, late));
end BooleanArgumentJumps;
