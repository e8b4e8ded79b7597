//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /classes/0/index == 0
//! json: /classes/1/index == 2
// RR-9603 (86): a long straight mode and an elastic law at once. The modes are fine, the change is not.
model CupAndBallIfAndWhen
  constant Real g = 9.81;
  parameter Real L = 1;
  Real x(start = 0.6);
  Real y(start = 0);
  Real vx(start = 0);
  Real vy(start = 0);
  Real lambda "tension of the rope";
  Real s;
  Boolean straight;
equation
  der(x) = vx;
  der(y) = vy;
  0 = der(vx) + lambda*x;
  0 = der(vy) + lambda*y + g;
  straight = pre(s) <= 0;
  if straight then
    0 = L^2 - (x^2 + y^2);
    0 = lambda + s;
  else
    0 = lambda;
    0 = (L^2 - (x^2 + y^2)) - s;
  end if;
  when straight then
    0 = (x*vx + y*vy) + (pre(x)*pre(vx) + pre(y)*pre(vy));
  end when;
end CupAndBallIfAndWhen;
