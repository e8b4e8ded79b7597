//! run: transitions --from g=false --to g=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/t1 == "1/3"
//! json: /transitions/0/impulsive/t2 == "1/3"
//! json: /transitions/0/impulsive/der(w1) == "1"
//! run: restart --from g=false --to g=true --at "w1=1,w2=1.5" --format json
//! approx: /right/w1 == 1.5 +- 1e-9
//! approx: /right/w2 == 1.5 +- 1e-9
model ClutchCubicTorque "Impulse of order one third (RR-9334, 11.4)"
  parameter Real a1 = -0.01;
  parameter Real a2 = -0.0125;
  parameter Real b1 = 1;
  parameter Real b2 = 1.25;
  Real w1(start = 1);
  Real w2(start = 1.5);
  Real t1;
  Real t2;
  input Boolean g;
equation
  der(w1) = a1*w1 + b1*t1^3;
  der(w2) = a2*w2 + b2*t2;
  if g then
    w1 - w2 = 0;
    t1 + t2 = 0;
  else
    t1 = 0;
    t2 = 0;
  end if;
end ClutchCubicTorque;
