//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! code: MS4002
//! json: /fixpoints len 1
// The current of an ideal diode decides its mode, and its mode decides the current.
model AlgebraicLoopThroughGuard
  Real i, u, s;
  parameter Real R = 2;
  Boolean on;
equation
  sin(time) = R*i + u;
  s = if on then i else u;
  0 = if on then u else i;
  on = s > 0;
end AlgebraicLoopThroughGuard;
