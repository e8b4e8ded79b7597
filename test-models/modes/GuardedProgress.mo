//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 4
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// What the condition reads is computed in a way that depends on another condition, which is known.
model GuardedProgress
  // z follows from the state in each branch of a known condition; then `fast` is known, then y.
  input Boolean known;
  Real x(start = 0), z, y;
  Boolean fast = z > 0;
equation
  z = if known then x else 2*x;
  y = if fast then z else x;
  der(x) = -y;
end GuardedProgress;
