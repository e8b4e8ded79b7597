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
//! json: /mode_variables len 1
//! json: /mode_variables/0/reads == "input"
// A parameter with a value decides once and for all; one without is a mode variable.
model ParameterCondition
  parameter Boolean ideal = true;
  parameter Real k;
  Real u, i, x(start = 0);
equation
  0 = if ideal then u - 1 else i;
  u = (if k > 0 then 2 else 3)*i + x;
  der(x) = i;
end ParameterCondition;
