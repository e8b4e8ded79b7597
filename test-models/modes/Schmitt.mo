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
// A relay with hysteresis: the Boolean has memory and is one mode variable.
model Schmitt
  Real x(start = 0), u;
  Boolean on(start = false);
equation
  on = x < 1 or (pre(on) and x < 2);
  der(x) = u - 0.1*x;
  u = if on then 1 else 0;
end Schmitt;
