//! exit: 1
//! code: MS0021 line 10
//! snapshot
//! mend: 10:   push = if speed < 3 then 20 else 0;
// Wrong: `then` is missing.
model ExpressionWithoutThen
  Real speed(start = 0, fixed = true);
  Real push;
equation
  push = if speed < 3 20 else 0;
  4*der(speed) = push - speed;
end ExpressionWithoutThen;
