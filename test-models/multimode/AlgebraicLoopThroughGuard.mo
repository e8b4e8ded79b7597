//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /loops len 1
//! json: /loops/0/status == "unique"
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
