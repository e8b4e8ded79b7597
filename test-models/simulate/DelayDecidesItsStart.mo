//! run: simulate --format json --stop-time 0.1
//! approx: /initial/q == 0 +- 1e-12
//! approx: /initial/d == 0 +- 1e-12
//! json: /initial/on == 1
// At the start, a delayed value is the value itself. The first pass turns `on` off and the second one turns it on again; then `q` is zero, and
// so is what comes out of the delay.
model DelayDecidesItsStart
  Real q, d;
  Boolean on(start = true, fixed = true);
  Boolean low(start = false, fixed = true);
equation
  q = if pre(low) then 0 else 1.5;
  d = delay(q, 0.45);
  on = if d >= 0.7 then not pre(on) else pre(on);
  low = on;
end DelayDecidesItsStart;
