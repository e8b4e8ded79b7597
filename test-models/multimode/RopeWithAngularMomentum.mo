//! run: modes --format json
//! json: /verdict == "accepted"
//! run: restart --from taut=false --to taut=true --at x=0.6,y=-0.8,vx=1,vy=-2 --format json
//! approx: /right/x == 0.6 +- 1e-6
//! approx: /right/y == -0.8 +- 1e-6
//! approx: /right/vx == -0.32 +- 1e-6
//! approx: /right/vy == -0.24 +- 1e-6
// A ball on a rope becomes taut: the radial velocity vanishes, the tangential one stays.
// Radial unit vector (0.6, -0.8); v . r = 0.6 + 1.6 = 2.2; v - 2.2*r = (1 - 1.32, -2 + 1.76).
model RopeWithAngularMomentum
  parameter Real L = 1, g = 9.81, m = 2;
  Real x(start = 0.6), y(start = 0);
  Real vx, vy;
  Real lambda "tension per length";
  Real s(start = -1) "tension while taut, slack while free";
  Boolean taut(start = false), reached(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -lambda*x;
  m*der(vy) = -lambda*y - m*g;
  reached = s >= 0;
  taut = pre(reached);
  s = if taut then lambda else x^2 + y^2 - L^2;
  0 = if taut then x^2 + y^2 - L^2 else lambda;
end RopeWithAngularMomentum;
