//! run: transitions --format json
//! exit: 1
//! json: /transitions/0/verdict == "undetermined"
//! json: /transitions/0/undetermined_states/0 == "vx"
//! json: /transitions/0/determined_states/0 == "x"
//! code: MS5001
//! run: transitions
//! exit: 1
//! code: MS5001
model CupAndBallNoLaw "Elastic, but nothing says how (RR-9603, 78)"
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
  if not gamma then
    0 = l;
    0 = L^2 - (x^2 + y^2) - s;
  end if;
  when gamma then
    0 = L^2 - (x^2 + y^2);
    0 = l + s;
  end when;
end CupAndBallNoLaw;
