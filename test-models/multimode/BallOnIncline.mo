//! run: restart --from contact=false --to contact=true --at x=0,y=0,vx=1,vy=-2 --format json
//! approx: /right/vx == -0.32 +- 1e-9
//! approx: /right/vy == -0.24 +- 1e-9
//! approx: /right/x == 0 +- 1e-9
//! approx: /weights/N == 1.76 +- 1e-9
// A ball falls on the plane y = 0.75*x without bouncing: with n = (-0.75, 1), v - (n.v)/(n.n)*n.
model BallOnIncline
  parameter Real a = 0.75;
  Real x(start = 0), y(start = 1), vx(start = 1), vy(start = 0), N;
  Real s(start = -1);
  Boolean contact(start = false), reached(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -a*N;
  der(vy) = N - 9.81;
  reached = s >= 0;
  contact = pre(reached);
  s = if contact then N else a*x - y;
  0 = if contact then y - a*x else N;
end BallOnIncline;
