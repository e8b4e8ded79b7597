//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 2
//! json: /classes/1/index == 1
//! json: /classes/1/dof == 1
// The engaged clutch relates the speeds by a function.
model ClutchJunction

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
  j1*der(w1) = -k1*w1 + t1;
  j2*der(w2) = -k2*w2 + t2;
  0 = if g then w2 - (w1 + 0.1*sin(w1)) else t1;
  t1 + t2 = 0;
end ClutchJunction;
