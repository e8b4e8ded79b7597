//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 0
//! approx: /final/y == 15 +- 1e-9
//! approx: /final/area == -4.247779607694 +- 1e-9
// A comparator with positive feedback whose limits make no events. For an input between the switching points both limits fit and so does
// the unstable middle: the output stays at the limit where it was until that stops fitting, at x = -0.999 and
// x = 0.999. The integral of the output tells when: 15 (t1 - (t2 - t1) + 6 - t2) with cos(t1) = -0.4995 and cos(t2) = 0.4995.
model TriggerWithoutEvents
  parameter Real gain = 15000;
  parameter Real limit = 15;
  Real x = 2*cos(time);
  Real y(start = 15);
  Real area(start = 0, fixed = true);
equation
  y = noEvent(if gain*(x + y/15) > limit then limit else if gain*(x + y/15) < -limit then -limit else gain*(x + y/15));
  der(area) = y;
  annotation(experiment(StopTime = 6.0));
end TriggerWithoutEvents;
