//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /classes/0/index == 0
//! json: /classes/1/index == 1
// The torque enters nonlinearly: the modes are those of the clutch, only the mode change differs.
model ClutchNonlinear

  parameter Real j1 = 1 "moment of inertia";
  parameter Real j2 = 2 "moment of inertia";
  parameter Real k1 = 0.01 "damping";
  parameter Real k2 = 0.0125 "damping";
  Real w1(start = 1, fixed = true) "angular velocity";
  Real w2(start = 1.5, fixed = true) "angular velocity";
  Real t1;
  Real t2;
  input Boolean g;
equation
  der(w1) = -k1*w1 + t1^3;
  der(w2) = -k2*w2 + t2;
  0 = if g then w1 - w2 else t1;
  t1 + t2 = 0;
end ClutchNonlinear;
