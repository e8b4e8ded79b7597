//! run: restart --from caught=false --to caught=true --at phi=0,w=0,x=0,v=6 --format json
//! approx: /right/w == 2 +- 1e-9
//! approx: /right/v == 4 +- 1e-9
//! approx: /right/phi == 0 +- 1e-9
//! approx: /right/x == 0 +- 1e-9
//! approx: /weights/F == -2 +- 1e-9
//! run: transitions --from caught=false --to caught=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps len 2
//! json: /transitions/0/flags len 0
// A pendulum of length 2 catches a projectile at its end: (J + m*L^2)*w = m*L*6 with J = 2, m = 1, and v = L*w.
// The constraint is on positions and nonlinear, x = L*sin(phi).
model PendulumCatches
  parameter Real J = 2, m = 1, L = 2;
  Real phi(start = 0), w(start = 0), x(start = -1), v(start = 6), F;
  Real s(start = -1);
  Boolean caught(start = false), reached(start = false, fixed = true);
equation
  der(phi) = w;
  der(x) = v;
  J*der(w) = -F*L*cos(phi) - 9.81*sin(phi);
  m*der(v) = F;
  reached = s >= 0;
  caught = pre(reached) or pre(caught);
  s = x - L*sin(phi);
  0 = if caught then x - L*sin(phi) else F;
end PendulumCatches;
