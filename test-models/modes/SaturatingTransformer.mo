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
// The flux is a state in both modes, so the condition on it is known at every instant. Saturated: no voltage; else no
// magnetising current.
model SaturatingTransformer
  parameter Real R1 = 1, R2 = 10, limit = 0.5;
  Real phi(start = 0), u, i1, i2, im;
  Boolean saturated = phi > limit;
equation
  sin(time) = R1*i1 + u;
  der(phi) = u;
  i1 = i2 + im;
  u = R2*i2;
  0 = if saturated then u else im;
end SaturatingTransformer;
