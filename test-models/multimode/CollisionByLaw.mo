//! run: restart --from hit=false --to hit=true --at x1=1,x2=1,v1=3,v2=0 --format json
//! approx: /right/v1 == 1.5 +- 1e-9
//! approx: /right/v2 == 3 +- 1e-9
//! approx: /weights/f == 3 +- 1e-9
//! run: transitions --from hit=false --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/f == "1"
//! json: /transitions/0/transient/hit == true
//! json: /transitions/0/to/hit == false
// The same collision by an impulsive contact force: f acts on both masses, and only Newton's law of impact is
// given. Momentum is kept because the force is the same for both; its weight is m2*(3 - 0) = 3.
model CollisionByLaw
  parameter Real m1 = 2, m2 = 1, e = 0.5;
  Real x1(start = 0), v1(start = 3), x2(start = 1), v2(start = 0), f;
  Real s(start = 1);
  Boolean hit(start = false);
equation
  der(x1) = v1;
  der(x2) = v2;
  m1*der(v1) = -f;
  m2*der(v2) = f;
  s = x2 - x1;
  hit = pre(s) <= 0;
  if not hit then
    f = 0;
  end if;
  when hit then
    v2 - v1 = -e*(pre(v2) - pre(v1));
  end when;
end CollisionByLaw;
