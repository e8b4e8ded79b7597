//! run: check
//! code: MS4015 line 14
//! stderr: for `u = 0` 3 solutions fit: `y = 0`, `y = -1` and `y = 1`
//! run: check --deny fixpoints
//! exit: 1
//! code: MS4015
//! run: modes --format json
//! json: /loops/0/witness/solutions len 3
//! code: MS4015
model LimiterAlone "Positive feedback above one: nothing remembers on which limit the output was"
  input Real u;
  Real y;
equation
  y = min(1, max(-1, 2*y + u));
end LimiterAlone;
