//! run: simulate --format json
//! json: /completed == true
//! approx: /events/0/time == 0.4038550 +- 1e-6
//! approx: /events/0/jumps/vx/after == -1.9016726 +- 1e-5
//! approx: /events/0/jumps/vy/after == -1.4262544 +- 1e-5
//! approx: /maximum/length2 == 1 +- 1e-8
//! json: /statistics/modes == 4
// The ball falls until the rope is straight; the impact keeps the component of its velocity along the circle,
// hence the angular momentum about the cup.
model CupAndBall
  constant Real g = 9.81;
  parameter Real L = 1;
  Real x(start = 0.6, fixed = true);
  Real y(start = 0, fixed = true);
  Real vx(start = 0, fixed = true);
  Real vy(start = 0, fixed = true);
  Real lambda "tension of the rope";
  Real s;
  Real length2;
  Boolean straight, reached(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  0 = der(vx) + lambda*x;
  0 = der(vy) + lambda*y + g;
  reached = s <= 0;
  straight = pre(reached);
  length2 = x^2 + y^2;
  if straight then
    0 = L^2 - (x^2 + y^2);
    0 = lambda + s;
  else
    0 = lambda;
    0 = (L^2 - (x^2 + y^2)) - s;
  end if;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end CupAndBall;
