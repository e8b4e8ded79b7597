//! run: simulate --format json
//! approx: /initial/q == -1 +- 1e-12
//! approx: /initial/d == -1 +- 1e-12
//! approx: /final/d == -1 +- 1e-12
//! approx: /maximum/d == -1 +- 1e-12
// Until the delay is over, what comes out is the value at the start, after all that happens at that instant: pre(n) is 1
// while the initial equations are solved, and 0 from the start on.
model DelayAtTheStart
  Integer n(start = 1, fixed = true);
  Real q = 0.5*pre(n) - 1;
  Real d = delay(q, 0.45);
equation
  n = if time > 2 then 1 else 0;
end DelayAtTheStart;
