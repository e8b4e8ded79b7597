//! run: modes --format json
//! json: /loops/0/status == "unique"
// Positive slopes on both sides.
model TwoSlopes
  parameter Real R = 0.1;
  input Real u;
  Real s;
  Boolean g;
equation
  g = s > 0;
  (if g then 1 else R)*s = u;
end TwoSlopes;
