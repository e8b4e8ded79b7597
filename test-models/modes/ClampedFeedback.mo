//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! json: /mode_count == 2
//! json: /fixpoints len 1
//! json: /fixpoints_complete == true
//! code: MS4002 line 14
// The clamp decides whether the loop is closed, and the loop decides the clamp.
model ClampedFeedback
  parameter Real k = 2;
  Real e, y;
equation
  e = sin(time) - k*y;
  y = if e > 1 then 1 else e;
end ClampedFeedback;
