//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 0
//! json: /classes/0/count == 2
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! code: MS4008
// Regular by structure, but with the switch closed both equations fix the same sum.
model WeightedBridge
  // balanced: structurally fine, numerically singular when the switch is closed
  input Boolean closed;
  Real a, b;
equation
  a + b = 1;
  0 = if closed then 2*a + 2*b - sin(time) else a - b;
end WeightedBridge;
