//! run: modes --format json
//! json: /loops/0/status == "several"
//! json: /loops/0/witness/fits len 1
//! json: /loops/0/witness/solutions len 3
//! code: MS4015
//! run: check
//! code: MS4015
//! stderr: 3 solutions fit
// For u = 0 the values 0, 3 and -3 of y are solutions, and `high` is false for all of them.
model LimiterInLoop "A limiter with a feedback gain above one, and an overload that no solution reaches"
  input Real u;
  Real y;
  Boolean high;
equation
  y = 3*min(1, max(-1, u + y)) - (if high then 0.1*(y - 50) else 0);
  high = y > 50;
end LimiterInLoop;
