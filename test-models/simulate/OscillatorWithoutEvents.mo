//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 0
//! json: /final/y == -1.0
//! approx: /final/v == 0.332784816 +- 1e-5
// An amplifier with positive feedback charges a capacitor and switches over when the capacitor reaches half of its limit: der(v) = y - v, and y jumps
// between two branches of a loop that makes no events. From rest the first stretch takes ln(2), every other one ln(3), up to the width
// of the linear part: the tenth stretch ends the run.
model OscillatorWithoutEvents
  parameter Real gain = 1e5;
  Real v(start = 0, fixed = true);
  Real y(start = 1);
equation
  y = noEvent(if gain*(y/2 - v) > 1 then 1 else if gain*(y/2 - v) < -1 then -1 else gain*(y/2 - v));
  der(v) = y - v;
  annotation(experiment(StopTime = 9.6));
end OscillatorWithoutEvents;
