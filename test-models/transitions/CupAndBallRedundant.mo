//! run: transitions --from gamma=false --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/redundant len 1
//! run: transitions --from gamma=false
//! code: MS5004
model CupAndBallRedundant "The law repeats the new mode (RR-9603, 88)"
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
    x*vx + y*vy = 0;
  end when;
end CupAndBallRedundant;
