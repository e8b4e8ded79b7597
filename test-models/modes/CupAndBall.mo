//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! json: /fixpoints len 1
//! json: /fixpoints/0/mode_variable == "straight"
//! json: /fixpoints/0/severity == "error"
//! json: /fixpoints/0/variables/0 == "s"
//! code: MS4002
//! run: check
//! exit: 1
//! code: MS4002 line 30
//! snapshot
// RR-9334 (5): a ball on a rope. The rope is straight where s <= 0, and what s is depends on whether
// the rope is straight.
model CupAndBall
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
  straight = s <= 0;
  if straight then
    0 = L^2 - (x^2 + y^2);
    0 = lambda + s;
  else
    0 = lambda;
    0 = (L^2 - (x^2 + y^2)) - s;
  end if;
end CupAndBall;
