//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 8
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 0
//! json: /classes/0/count == 8
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// If-expressions inside each other: every branch leaves one equation for one unknown.
model NestedChoices
  input Boolean a, b, c;
  Real x, y, z;
equation
  0 = if a then (if b then x else y) else (if c then y - time else z);
  x + y = 1;
  y + z = time;
end NestedChoices;
