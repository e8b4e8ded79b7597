//! run: restart --from taut=false --to taut=true --at x1=0,x2=0,v1=3,v2=1 --format json
//! approx: /right/v1 == 1 +- 1e-6
//! approx: /right/v2 == -1 +- 1e-6
// Two masses over a pulley, rope becomes taut: x1 + x2 = 0 afterwards; equal masses keep v1 - v2.
model PulleyBlocks
  Real x1(start = 0), x2(start = 0), v1(start = 3), v2(start = 1), T;
  Real s(start = -1);
  Boolean taut(start = false), reached(start = false, fixed = true);
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = 9.81 - T;
  der(v2) = 9.81 - T;
  reached = s >= 0;
  taut = pre(reached);
  s = if taut then T else x1 + x2;
  0 = if taut then x1 + x2 else T;
end PulleyBlocks;
