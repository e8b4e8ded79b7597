//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /fixpoints len 0
//! json: /mode_variables/0/reads == "left-limit"
//! json: /mode_variables/0/definition == "pre(s) <= 0"
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 4
//! json: /classes/0/when == "not straight"
//! json: /classes/1/index == 2
//! json: /classes/1/pryce_index == 3
//! json: /classes/1/dof == 2
//! json: /classes/1/when == "straight"
//! code: MS4004
// The ball on a rope, decided by the left limit of s: RR-9334 3.2.
model CupAndBallPre
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
end CupAndBallPre;
