//! run: transitions --from gamma=false --format json
//! exit: 1
//! json: /transitions/0/verdict == "inconsistent"
//! code: MS5003
//! run: transitions --from gamma=false
//! exit: 1
//! code: MS5003
model CupAndBallInconsistent "An elastic law for a rope that stays straight (RR-9603, 86)"
  parameter Real g = 9.81;
  parameter Real L = 1;
  Real x(start = 0.5);
  Real y(start = 0);
  Real vx;
  Real vy;
  Real l;
  Real s;
  Boolean gamma(start = false);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) + l*x = 0;
  der(vy) + l*y + g = 0;
  gamma = pre(s) <= 0;
  if gamma then
    0 = L^2 - (x^2 + y^2);
    0 = l + s;
  else
    0 = l;
    0 = L^2 - (x^2 + y^2) - s;
  end if;
  when gamma then
    x*vx + y*vy = -(pre(x)*pre(vx) + pre(y)*pre(vy));
  end when;
end CupAndBallInconsistent;
