//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 1
//! approx: /events/0/time == 1 +- 1e-9
//! approx: /events/0/jumps/y/after == 2 +- 1e-12
//! approx: /events/0/jumps/z/after == 5 +- 1e-9
//! approx: /final/z == 6 +- 1e-8
// One reset sets off another one at the same instant: y jumps beyond 1, whereupon z takes 3 + y.
model Cascade
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
  Real z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 0;
  der(z) = 1;
  when x >= 1 then
    reinit(y, 2);
  end when;
  when y > 1 then
    reinit(z, 3 + y);
  end when;
  annotation(experiment(StopTime = 2));
end Cascade;
