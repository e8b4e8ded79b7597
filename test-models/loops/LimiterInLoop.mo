//! run: modes --format json
//! json: /loops/0/status == "undecided"
//! json: /loops/0/procedure contains "several solutions with the same truth values"
//! json: /loops/0/witness/fits len 1
//! run: check
//! code: MS4003
// For u = 0 both y = 3 and y = -3 are solutions, and `high` is false for both.
model LimiterInLoop "A limiter with a feedback gain above one, and an overload that no solution reaches"
  input Real u;
  Real y;
  Boolean high;
equation
  y = 3*min(1, max(-1, u + y)) - (if high then 0.1*(y - 50) else 0);
  high = y > 50;
end LimiterInLoop;
