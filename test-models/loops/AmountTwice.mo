//! run: check
//! exit: 1
//! code: MS4014 line 15
//! stderr: for `u = -1` there is no solution
//! run: modes --format json
//! exit: 1
//! code: MS4014
//! json: /loops/0/status == "none"
//! json: /loops/0/mode_variables len 0
// Below zero the left side is -x, so both sides of zero give positive values.
model AmountTwice "An equation without a condition that nothing satisfies for u < 0, and two values for u > 0"
  input Real u;
  Real x;
equation
  x + 2*abs(x) = u;
end AmountTwice;
