//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 1
//! json: /mode_variables len 0
//! json: /classes/0/index == 2
//! json: /classes/0/pryce_index == 3
//! json: /classes/0/dof == 2
//! json: /classes/0/when == "true"
model Pendulum
  parameter Real L = 1;
  constant Real g = 9.81;
  Real x(start = 1);
  Real y;
  Real vx;
  Real vy;
  Real lambda;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda*x;
  der(vy) = -lambda*y - g;
  x^2 + y^2 = L^2;
end Pendulum;
