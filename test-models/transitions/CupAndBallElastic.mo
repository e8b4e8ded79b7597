//! run: transitions --format json
//! json: /transitions/0/transient/gamma == true
//! json: /transitions/0/to/gamma == false
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps len 2
//! run: restart --from gamma=false --to gamma=true --at "x=0.6,y=-0.8,vx=2,vy=1" --format json
//! approx: /right/vx == 1.52 +- 1e-9
//! approx: /right/vy == 1.64 +- 1e-9
model CupAndBallElastic "A Newton law for the instant (RR-9603, 81)"
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
    x*vx + y*vy = -(pre(x)*pre(vx) + pre(y)*pre(vy));
  end when;
end CupAndBallElastic;
