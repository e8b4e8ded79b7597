//! run: modes --format json
//! json: /loops/0/status == "unique"
// A limited amplifier with negative feedback.
model SaturatedFeedback
  parameter Real k = 100;
  input Real u;
  Real e, y;
equation
  e = u - k*y;
  y = if e > 1 then 1 elseif e < -1 then -1 else e;
end SaturatedFeedback;
