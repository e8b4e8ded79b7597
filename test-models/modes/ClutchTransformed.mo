//! run: modes --format json
//! json: /verdict == "accepted"
//! code: MS4008
// RR-9603 F.2: the linear clutch in other coordinates. Structurally nothing is wrong, but the equations
// of the engaged mode depend on each other whatever the values are.
model ClutchTransformed
  parameter Real a = 0.1;
  Real w1(start = 1);
  Real w2(start = 2);
  Real s1;
  Real s2;
  input Boolean g;
equation
  0 = der(w1) + der(s1) - (s1 - w1 - a*(s1 + w1));
  0 = der(w2) + der(s2) - (s2 - w2 - a*(s2 + w2));
  if g then
    0 = (w1 + s1) - (w2 + s2);
    0 = (s1 + s2) - (w1 + w2);
  else
    0 = w1 - s1;
    0 = w2 - s2;
  end if;
end ClutchTransformed;
