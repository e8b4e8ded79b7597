//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! json: /mode_count == 4
//! json: /classes len 2
//! json: /classes/0/when == "not a or not b"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 0
//! json: /classes/0/count == 3
//! json: /classes/1/when == "a and b"
//! json: /classes/1/singular != null
//! json: /classes/1/count == 1
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! code: MS4001
// Only the innermost branch repeats what another equation says.
model NestedSingular
  input Boolean a, b;
  Real x, y;
equation
  0 = if a then (if b then x - 1 else y) else x + y;
  x = sin(time);
end NestedSingular;
