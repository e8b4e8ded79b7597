//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /mode_variables/0/reads == "left-limit"
//! json: /classes len 1
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 1
// The left limit of a continuous variable in a condition and in a branch: a known value, no unknown of the equation.
model LeftLimitInBranch
  Real x(start = 1), y, z;
  Boolean high = pre(z) > 2;
equation
  der(x) = y - x;
  z = 2*x;
  y = if high then pre(z)/2 else z;
end LeftLimitInBranch;
