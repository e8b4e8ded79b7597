//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 4
//! approx: /final/on == 1 +- 1e-6
//! approx: /final/off == -1 +- 1e-6
// A relay that supports itself keeps its value as long as that fits: it switches on where u comes to 1, and off where it comes to -1.
model RunOfHysteresis
  Real u = 2*sin(time);
  Real y;
  Boolean g;
  discrete Real on(start = 0), off(start = 0);
equation
  g = y > 0;
  y = u + (if g then 1 else -1);
  when g then
    on = u;
  end when;
  when not g then
    off = u;
  end when;
  annotation(experiment(StopTime = 12));
end RunOfHysteresis;
