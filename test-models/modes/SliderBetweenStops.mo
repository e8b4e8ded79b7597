//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
//! json: /classes len 2
//! json: /classes/0/when == "not left and not right"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 1
//! json: /classes/1/when == "left or right"
//! json: /classes/1/index == 2
//! json: /classes/1/pryce_index == 3
//! json: /classes/1/dof == 0
//! json: /classes/1/count == 2
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! json: /care/0/reason == "thresholds"
// Two stops that cannot be touched at the same time: the thresholds exclude each other.
model SliderBetweenStops
  parameter Real m = 2;
  input Real force;
  Real x(start = 0.5), v(start = 0), l, r;
  Boolean left = x <= 0, right = x >= 1;
equation
  der(x) = v;
  m*der(v) = force + l - r;
  0 = if left then x else l;
  0 = if right then x - 1 else r;
end SliderBetweenStops;
