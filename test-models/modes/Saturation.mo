//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
//! json: /fixpoints len 0
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 3
// Three pieces of a characteristic on a state: thresholds on the same expression exclude each other.
model Saturation
  Real x(start = 0);
  Real y;
equation
  der(x) = sin(time) - y;
  y = if x > 1 then 1 elseif x < -1 then -1 else x;
end Saturation;
