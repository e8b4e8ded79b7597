//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 0
//! approx: /final/w1 == 0.8268218104318 +- 1e-8
//! approx: /final/w2 == 0.4134109052159 +- 1e-8
// Two inertias behind a gear of ratio 2: (1 + 4/4)·w1' = sin(t) has the solution w1 = (1 − cos t)/2.
model CoupledInertias
  Real w1(start = 0, fixed = true);
  Real w2;
  Real t1;
  Real t2;
equation
  der(w1) = sin(time) - t1;
  4*der(w2) = t2;
  w1 = 2*w2;
  t2 = 2*t1;
  annotation(experiment(StopTime = 4.0, Tolerance = 1e-10));
end CoupledInertias;
