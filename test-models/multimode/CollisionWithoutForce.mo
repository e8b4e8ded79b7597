//! run: transitions --from hit=false --format json
//! exit: 1
//! code: MS5003
//! json: /transitions/0/verdict == "inconsistent"
// A law of impact without a force that could obey it: der(v1) = 0 holds at the instant too, so v1 cannot jump.
model CollisionWithoutForce
  parameter Real e = 0.5;
  Real x1(start = 0), v1(start = 3), x2(start = 1), v2(start = 0);
  Real s(start = 1);
  Boolean hit(start = false);
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = 0;
  der(v2) = 0;
  s = x2 - x1;
  hit = pre(s) <= 0;
  when hit then
    v2 - v1 = -e*(pre(v2) - pre(v1));
  end when;
end CollisionWithoutForce;
