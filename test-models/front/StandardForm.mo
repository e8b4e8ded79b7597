//! run: modes --class ByLeftLimit --format json
//! json: /verdict == "accepted"
//! json: /classes len 2
//! run: modes --class ByBoolean --format json
//! json: /verdict == "accepted"
//! json: /classes len 2
//! run: transitions --class ByLeftLimit
//! stdout: off: false → true  determined
//! stdout: off: true → false  determined
//! run: transitions --class ByBoolean
//! stdout: off: false → true  determined
//! stdout: off: true → false  determined
//! run: simulate --class ByLeftLimit --stop-time 1 --format json
//! approx: /final/j == 0.1596807 +- 1e-6
//! run: simulate --class ByBoolean --stop-time 1 --format json
//! approx: /final/j == 0.1596807 +- 1e-6
// A diode whose mode follows its own current and voltage. The left limit of `s` is an extension; a Boolean and its `pre` say the
// same in standard Modelica. Verdicts, mode changes and trajectories are equal.
model ByLeftLimit
  parameter Real R = 1, L = 0.1;
  Boolean off(start = true);
  Real s(start = 0), v, i, u;
  Real j(start = 0, fixed = true);
equation
  u = sin(10 * time);
  v = if off then s else 0;
  i = if off then 0 else s;
  off = pre(s) < 0;
  L * der(j) = u - v - R * j;
  i = j;
end ByLeftLimit;
model ByBoolean
  parameter Real R = 1, L = 0.1;
  Boolean off(start = true);
  Boolean reverse(start = true, fixed = true);
  Real s(start = 0), v, i, u;
  Real j(start = 0, fixed = true);
equation
  u = sin(10 * time);
  v = if off then s else 0;
  i = if off then 0 else s;
  reverse = s < 0;
  off = pre(reverse);
  L * der(j) = u - v - R * j;
  i = j;
end ByBoolean;
