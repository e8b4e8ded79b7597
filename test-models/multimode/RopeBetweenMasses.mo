//! run: restart --from taut=false --to taut=true --at x1=0,y1=0,x2=0.6,y2=0.8,vx1=0,vy1=0,vx2=1,vy2=3 --format json
//! approx: /right/vx1 == 1.2 +- 1e-9
//! approx: /right/vy1 == 1.6 +- 1e-9
//! approx: /right/vx2 == 0.4 +- 1e-9
//! approx: /right/vy2 == 2.2 +- 1e-9
//! run: transitions --from taut=false --to taut=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps len 4
//! json: /transitions/0/flags len 0
// A rope between two masses in the plane (m1 = 1, m2 = 2) straightens. Along r = (0.6, 0.8) the relative speed is 3;
// the reduced mass 2/3 gives the impulse 2: v1 = 2*r, v2 = (1, 3) - r.
model RopeBetweenMasses
  parameter Real m1 = 1, m2 = 2, L = 1;
  Real x1(start = 0), y1(start = 0), x2(start = 0.5), y2(start = 0);
  Real vx1, vy1, vx2, vy2, T;
  Real s(start = -1);
  Boolean taut(start = false), reached(start = false, fixed = true);
equation
  der(x1) = vx1;
  der(y1) = vy1;
  der(x2) = vx2;
  der(y2) = vy2;
  m1*der(vx1) = T*(x2 - x1);
  m1*der(vy1) = T*(y2 - y1);
  m2*der(vx2) = -T*(x2 - x1);
  m2*der(vy2) = -T*(y2 - y1);
  reached = s >= 0;
  taut = pre(reached);
  s = if taut then T else (x2 - x1)^2 + (y2 - y1)^2 - L^2;
  0 = if taut then (x2 - x1)^2 + (y2 - y1)^2 - L^2 else T;
end RopeBetweenMasses;
