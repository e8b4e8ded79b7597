//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 6
//! approx: /minimum/momentum == 4 +- 1e-9
//! approx: /maximum/momentum == 4 +- 1e-9
//! approx: /final/w1 == 1.3333333333 +- 1e-9
// Without friction the angular momentum stays, whatever the clutch does.
model ClutchMomentum
  parameter Real j1 = 1;
  parameter Real j2 = 2;
  Real w1(start = 1, fixed = true);
  Real w2(start = 1.5, fixed = true);
  Real f1;
  Real f2;
  Real momentum;
  Boolean g;
equation
  g = sin(time) > 0.5;
  j1*der(w1) = f1;
  j2*der(w2) = f2;
  0 = if g then w1 - w2 else f1;
  f1 + f2 = 0;
  momentum = j1*w1 + j2*w2;
  annotation(experiment(StopTime = 18));
end ClutchMomentum;
