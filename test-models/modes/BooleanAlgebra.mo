//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 4
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// Two inputs and three formulas over them: four modes.
model BooleanAlgebra
  input Boolean a, b;
  Boolean c = a and not b;
  Boolean d = a <> b;
  Boolean e = c or (d and b);
  Real x(start = 0), y, z;
equation
  der(x) = y + z;
  0 = if c then y - 1 else z - 1;
  0 = if e then y + z - x elseif d then x else x - y - 2*z;
end BooleanAlgebra;
