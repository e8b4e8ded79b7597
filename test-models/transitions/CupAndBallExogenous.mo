//! run: transitions --from gamma=false --to gamma=true --format json
//! exit: 1
//! json: /transitions/0/verdict == "undetermined"
//! json: /transitions/0/determined_states contains "x"
//! json: /transitions/0/determined_states contains "y"
//! json: /transitions/0/undetermined_states contains "vx"
//! json: /transitions/0/undetermined_states contains "vy"
//! code: MS5001
model CupAndBallExogenous "The rope straightens from outside (RR-9603, D.2)"
  parameter Real g = 9.81;
  parameter Real L = 1;
  Real x(start = 0.5);
  Real y(start = 0);
  Real vx;
  Real vy;
  Real l;
  Real s;
  input Boolean gamma;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) + l*x = 0;
  der(vy) + l*y + g = 0;
  if gamma then
    0 = L^2 - (x^2 + y^2);
    0 = l + s;
  else
    0 = l;
    0 = L^2 - (x^2 + y^2) - s;
  end if;
end CupAndBallExogenous;
