//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps len 0
//! json: /transitions/0/impulsive len 0
//! json: /transitions/1/verdict == "determined"
//! json: /transitions/1/jumps len 0
// Friction that sticks when the relative speed itself crosses zero: nothing jumps, whichever way.
model StickSlip
  parameter Real J1 = 1, J2 = 2, mu = 3;
  Real w1(start = 2), w2(start = 0), f, s(start = 2);
  Boolean slip(start = true), reached(start = true, fixed = true);
equation
  J1*der(w1) = 1 - f;
  J2*der(w2) = f;
  reached = s > 0;
  slip = pre(reached);
  s = if slip then w1 - w2 else abs(f) - mu;
  0 = if slip then f - mu else w1 - w2;
end StickSlip;
