//! run: transitions --from g=false --to g=true --format json
//! json: /transitions/0/verdict == "numerically-singular"
//! run: transitions --from g=false --to g=true
//! code: MS5005
model ClutchMixed "The clutch in variables that mix speeds and torques (RR-9603, F.2)"
  parameter Real a = 0.1;
  Real w1;
  Real w2;
  Real s1;
  Real s2;
  input Boolean g;
equation
  der(w1) + der(s1) = s1 - w1 - a*(s1 + w1);
  der(w2) + der(s2) = s2 - w2 - a*(s2 + w2);
  0 = if g then w1 + s1 - w2 - s2 else w1 - s1;
  0 = if g then s1 + s2 - w1 - w2 else w2 - s2;
end ClutchMixed;
