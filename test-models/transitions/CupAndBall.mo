//! run: transitions --format json
//! json: /transitions len 2
//! json: /transitions/0/from/gamma == false
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps/0 == "vx"
//! json: /transitions/0/jumps/1 == "vy"
//! json: /transitions/0/impulsive/l == "1"
//! json: /transitions/0/impulsive/s == "1"
//! json: /transitions/0/impulsive/der(vx) == "1"
//! json: /transitions/0/facts/0/reason == "zero-crossing"
//! json: /transitions/1/jumps len 0
//! run: restart --from gamma=false --to gamma=true --at "x=0.6,y=-0.8,vx=2,vy=1" --format json
//! approx: /right/vx == 1.76 +- 1e-9
//! approx: /right/vy == 1.32 +- 1e-9
//! approx: /right/x == 0.6 +- 1e-12
model CupAndBall "Inelastic: the rope straightens and keeps the angular momentum (RR-9603, 4)"
  parameter Real g = 9.81;
  parameter Real L = 1;
  Real x(start = 0.5);
  Real y(start = 0);
  Real vx;
  Real vy;
  Real l;
  Real s;
  Boolean gamma(start = false), reached(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) + l*x = 0;
  der(vy) + l*y + g = 0;
  reached = s <= 0;
  gamma = pre(reached);
  if gamma then
    0 = L^2 - (x^2 + y^2);
    0 = l + s;
  else
    0 = l;
    0 = L^2 - (x^2 + y^2) - s;
  end if;
end CupAndBall;
