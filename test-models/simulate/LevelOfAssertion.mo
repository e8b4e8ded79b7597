//! run: simulate --format json
//! json: /completed == true
//! json: /diagnostics/0/code == "MS6016"
//! json: /diagnostics/0/message contains "the level is 0.51"
// The level of an assertion is a parameter, and its message is computed when it does not hold.
model LevelOfAssertion
  parameter AssertionLevel level = AssertionLevel.warning;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.5, "the level is " + String(x), level);
end LevelOfAssertion;
