//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /classes/0/index == 0
//! json: /classes/0/when == "not g"
//! json: /classes/1/index == 1
//! json: /classes/1/when == "g"
//! json: /mode_variables/2/name == "g"
//! json: /mode_variables/2/definition == "time >= 5 and time < 10"
//! json: /mode_variables len 3
//! json: /mode_count == 3
//! code: MS4004
// The same clutch with if-expressions and a switching time, the form in which Modelica tools accept it
// and then divide by zero when it engages.
model ClutchBasic

  parameter Real j1 = 1 "moment of inertia";
  parameter Real j2 = 2 "moment of inertia";
  parameter Real k1 = 0.01 "damping";
  parameter Real k2 = 0.0125 "damping";
  Real w1(start = 1, fixed = true) "angular velocity";
  Real w2(start = 1.5, fixed = true) "angular velocity";
  Real f1;
  Real f2;
  Boolean g;
equation
  g = time >= 5 and time < 10;
  j1*der(w1) = -k1*w1 + f1;
  j2*der(w2) = -k2*w2 + f2;
  0 = if g then w1 - w2 else f1;
  f1 + f2 = 0;
end ClutchBasic;
