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
// A Boolean decided at sampling instants.
model SampledMode
  Real x(start = 1), u;
  discrete Boolean heat(start = false);
equation
  der(x) = u - x;
  u = if heat then 2 else 0;
  when sample(0, 0.1) then
    heat = x < 1;
  end when;
end SampledMode;
