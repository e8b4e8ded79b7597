//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/t2 == "1"
//! json: /transitions/1/impulsive len 0
model ClutchBranches "The clutch with its two torques and equations in branches (RR-9334, 3)"
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
  der(w1) = a1*w1 + b1*t1;
  der(w2) = a2*w2 + b2*t2;
  if g then
    w1 - w2 = 0;
    t1 + t2 = 0;
  else
    t1 = 0;
    t2 = 0;
  end if;
end ClutchBranches;
