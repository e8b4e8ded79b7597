//! run: modes --format json
//! exit: 1
//! json: /loops/0/status == "none"
//! code: MS4014
// A slope that changes its sign: for u < 0 nothing fits, for u > 0 both truth values do.
model SlopeTurns
  parameter Real R = -0.1;
  input Real u;
  Real s;
  Boolean g;
equation
  g = s > 0;
  (if g then 1 else R)*s = u;
end SlopeTurns;
