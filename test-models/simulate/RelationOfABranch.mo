//! run: simulate --stop-time 4 --format json
//! json: /completed == true
//! approx: /final/y == 1 +- 1e-9
//! approx: /final/x == 5 +- 1e-6
// The relation of a branch that is not taken may have no value.
model RelationOfABranch
  Real x(start = 1, fixed = true);
  Real y = if x > 2 then (if log(x - 2) > 0 then 1 else 0) else -1;
equation
  der(x) = 1;
end RelationOfABranch;
