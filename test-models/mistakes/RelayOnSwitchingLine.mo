//! exit: 0
//! code: MS4018
//! snapshot
//! mend: 12:   force = max(-limit, min(limit, -100*line));
model RelayOnSwitchingLine
  parameter Real limit = 10;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real line = v + 2*x;
  Real force;
equation
  force = if line > 0 then -limit else limit;
  2*der(v) = force - v;
  der(x) = v;
end RelayOnSwitchingLine;
