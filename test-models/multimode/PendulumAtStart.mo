//! run: restart --from initial --format json
//! approx: /right/x == 0.6 +- 1e-9
//! approx: /right/y == -0.8 +- 1e-9
//! approx: /right/vx == 1.76 +- 1e-9
//! approx: /right/vy == 1.32 +- 1e-9
// A pendulum that starts on its circle with a velocity that leaves it: the radial part is lost.
model PendulumAtStart
  Real x(start = 0.6), y(start = -0.8), vx(start = 2), vy(start = 1), l;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -l*x;
  der(vy) = -l*y - 9.81;
  x^2 + y^2 = 1;
end PendulumAtStart;
