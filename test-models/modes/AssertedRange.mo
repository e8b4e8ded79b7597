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
// Assertions: exactly one of two inputs, and a positive state.
model AssertedRange
  Real x(start = 1), y, u;
  input Boolean up, down;
equation
  assert(up or down, "one of them");
  assert(not up or not down, "not both");
  assert(x > 0, "positive");
  der(x) = u;
  0 = if up then u - 1 elseif down then u + y else x - y;
  y = if x > 0 then 2*x else 0;
end AssertedRange;
