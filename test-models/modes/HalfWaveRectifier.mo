//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /fixpoints len 0
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 1
//! json: /classes/0/when == "not on"
//! json: /classes/1/index == 1
//! json: /classes/1/dof == 0
//! json: /classes/1/when == "on"
//! code: MS4004
// A source, an ideal diode and a capacitor: while the diode conducts the capacitor's voltage is the
// source's, so the state disappears.
model HalfWaveRectifier
  parameter Real R = 100;
  parameter Real C = 1e-3;
  Real v(start = 0) "of the capacitor";
  Real i "through the diode";
  Real u "across the diode";
  Real s;
  Boolean on, reached(start = true, fixed = true);
equation
  reached = s >= 0;
  on = pre(reached);
  s = if on then i else u;
  0 = if on then u else i;
  u = sin(time) - v;
  i = C*der(v) + v/R;
end HalfWaveRectifier;
