//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /loops/0/status == "unique"
//! json: /fixpoints_complete == true
// The clamp decides whether the loop is closed, and the loop decides the clamp: for every time in one way.
model ClampedFeedback
  parameter Real k = 2;
  Real e, y;
equation
  e = sin(time) - k*y;
  y = if e > 1 then 1 else e;
end ClampedFeedback;
