//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! json: /mode_count == 4
//! json: /loops len 1
//! json: /fixpoints_complete == true
//! code: MS4014
//! json: /loops/0/mode_variables/0 == "fast"
//! json: /loops/0/status == "none"
// With `known` the condition can be evaluated before it is needed; without, it decides what it reads:
// there y = x, so fast gives z = x/2 and the other branch z = x^2 - x - 1; at x = -1 neither has the sign it needs.
model GuardedStuck
  // With `known` the condition can be evaluated first; without it z depends on `fast` itself.
  input Boolean known;
  Real x(start = 0), z, y;
  Boolean fast = z > 0;
equation
  0 = if known then z - x else y - x;
  0 = if fast then y - 2*z else y + z + 1 - x*y;
  der(x) = -y;
end GuardedStuck;
