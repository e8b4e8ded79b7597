//! run: simulate --format json
//! json: /completed == true
//! approx: /events/0/jumps/vx/after == -3.8033452 +- 1e-5
//! approx: /minimum/energy == 0 +- 1e-6
//! approx: /maximum/energy == 0 +- 1e-6
//! json: /events/0/transient/straight == true
// An elastic impact turns the radial velocity round: the energy stays.
model CupAndBallElastic
  constant Real g = 9.81;
  parameter Real L = 1;
  Real x(start = 0.6, fixed = true);
  Real y(start = 0, fixed = true);
  Real vx(start = 0, fixed = true);
  Real vy(start = 0, fixed = true);
  Real lambda "tension of the rope";
  Real s;
  Real energy;
  Boolean straight;
equation
  der(x) = vx;
  der(y) = vy;
  0 = der(vx) + lambda*x;
  0 = der(vy) + lambda*y + g;
  straight = pre(s) <= 0;
  energy = (vx^2 + vy^2)/2 + g*y;
  when straight then
    0 = L^2 - (x^2 + y^2);
    0 = lambda + s;
    0 = (x*vx + y*vy) + (pre(x)*pre(vx) + pre(y)*pre(vy));
  end when;
  if not straight then
    0 = lambda;
    0 = (L^2 - (x^2 + y^2)) - s;
  end if;
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end CupAndBallElastic;
