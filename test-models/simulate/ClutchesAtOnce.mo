//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 1
//! approx: /events/0/jumps/w1/after == 2 +- 1e-9
//! approx: /events/0/jumps/w3/after == 2 +- 1e-9
//! approx: /final/w2 == 2 +- 1e-9
// Two clutches engage at the same instant: one restart for all three shafts.
model ClutchesAtOnce
  Real w1(start = 6, fixed = true);
  Real w2(start = 0, fixed = true);
  Real w3(start = 0, fixed = true);
  Real t12;
  Real t23;
equation
  der(w1) = -t12;
  der(w2) = t12 - t23;
  der(w3) = t23;
  if time >= 1 then
    w1 = w2;
  else
    t12 = 0;
  end if;
  if time > 1 then
    w2 = w3;
  else
    t23 = 0;
  end if;
  annotation(experiment(StopTime = 2));
end ClutchesAtOnce;
