//! run: simulate --format json
//! json: /completed == true
//! approx: /final/x == 1 +- 1e-9
//! approx: /final/late == 1 +- 1e-12
// The event lies one rounding before the stop time.
model LastMomentEvent
  Real x(start = 0, fixed = true);
  Boolean late = time >= 0.1 + 3*0.3;
equation
  der(x) = if late then 2 else 1;
  annotation(experiment(StopTime = 1));
end LastMomentEvent;
