//! run: simulate --stop-time 0.15 --format json
// It blocks where `C*der(us) + us/R = 0`, that is `tan(100*t) = -10`, and conducts again where the source meets the discharged voltage.
//! approx: /events/1/time == 0.016704649792 +- 1e-8
//! json: /events/1/to/off == true
//! approx: /events/3/time == 0.0691307 +- 1e-6
//! json: /events/3/to/off == false
//! json: /completed == true
model DiodeOnVoltageSource "Each condition of the diode is on its threshold where the other one ends"
  parameter Real C = 1e-3, R = 100;
  Real v(start = 0, fixed = true), i, u, us;
  Boolean off(start = true);
equation
  us = 10*sin(100*time);
  off = if pre(off) then pre(u) <= 0 else pre(i) < 0;
  if off then
    i = 0;
  else
    u = 0;
  end if;
  us = u + v;
  C*der(v) = i - v/R;
end DiodeOnVoltageSource;
