//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /fixpoints len 0
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 3
//! json: /classes/1/index == 1
//! json: /classes/1/dof == 1
//! json: /classes/1/count == 1
// Switch, freewheeling diode, inductor, capacitor. With both open the inductor's current must be zero.
model BuckConverter
  parameter Real L = 1e-3;
  parameter Real C = 1e-4;
  parameter Real R = 10;
  parameter Real Rs = 0.01 "of the switch and the source";
  Real iL(start = 0);
  Real vC(start = 0);
  Real vx "at the switching node";
  Real is "through the switch";
  Real id "through the diode";
  Real s;
  input Boolean closed;
  Boolean freewheeling, reached(start = true, fixed = true);
equation
  reached = s >= 0;
  freewheeling = pre(reached);
  is + id = iL;
  0 = if closed then 24 - vx - Rs*is else is;
  0 = if freewheeling then vx else id;
  s = if freewheeling then id else -vx;
  L*der(iL) = vx - vC;
  C*der(vC) = iL - vC/R;
end BuckConverter;
