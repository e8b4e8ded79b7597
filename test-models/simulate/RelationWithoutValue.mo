//! run: simulate
//! exit: 1
//! code: MS6008
//! stderr: high is not defined
// A relation with something that has no value is not false.
model RelationWithoutValue
  Real x(start = 1, fixed = true);
  Boolean high = log(x - 2) > 0;
equation
  der(x) = 1;
end RelationWithoutValue;
