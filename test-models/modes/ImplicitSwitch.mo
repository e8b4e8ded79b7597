//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 2
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// The condition reads the solution of a nonlinear equation in a state: known before it is needed.
model ImplicitSwitch
  Real x(start = 0), z;
  Boolean high = z > 1;
equation
  der(x) = if high then -z else 1 - x;
  z^3 + z = x;
end ImplicitSwitch;
