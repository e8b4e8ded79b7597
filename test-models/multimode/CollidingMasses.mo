//! run: restart --to "x1 >= x2" --at x1=1,x2=1,v1=3,v2=0 --format json
//! approx: /right/v1 == 1.5 +- 1e-12
//! approx: /right/v2 == 3 +- 1e-12
//! approx: /right/x1 == 1 +- 1e-12
//! json: /weights len 0
//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps len 2
//! json: /transitions/0/impulsive len 0
// Two masses collide with restitution e = 0.5: momentum 2*3 = 2*1.5 + 1*3, separation speed 1.5 = 0.5*3.
model CollidingMasses
  parameter Real m1 = 2, m2 = 1, e = 0.5;
  Real x1(start = 0), v1(start = 3), x2(start = 1), v2(start = 0);
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = 0;
  der(v2) = 0;
  when x1 >= x2 then
    reinit(v1, (m1*pre(v1) + m2*pre(v2) - m2*e*(pre(v1) - pre(v2)))/(m1 + m2));
    reinit(v2, (m1*pre(v1) + m2*pre(v2) + m1*e*(pre(v1) - pre(v2)))/(m1 + m2));
  end when;
end CollidingMasses;
