//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /loops len 1
//! json: /fixpoints_complete == true
//! code: MS4003
//! json: /loops/0/mode_variables/0 == "fast"
//! json: /loops/0/status == "undecided"
// With `known` the condition can be evaluated before it is needed; without, it decides what it reads.
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
