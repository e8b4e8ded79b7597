//! run: simulate --format json
//! json: /completed == true
//! approx: /final/y == 0.5 +- 1e-9
//! approx: /final/z == 1.5 +- 1e-9
//! approx: /final/held == 1.5 +- 1e-9
//! approx: /final/s == 1 +- 1e-9
//! approx: /final/ticks == 6 +- 1e-9
//! approx: /final/i == 0.1 +- 1e-12
//! approx: /final/total == 21 +- 1e-9
// Ticks at 0, 0.1, … 0.5: z adds up the times, s sees every second of them.
model Operators
  Clock c = Clock(1, 10);
  Real u = time;
  Real y, z(start = 0), held, s, i;
  Real ticks(start = 0), total(start = 0);
equation
  y = sample(u, c);
  when c then
    z = previous(z) + y;
    ticks = previous(ticks) + 1;
    total = ticks + previous(total);
  end when;
  held = hold(z);
  s = subSample(z, 2);
  i = interval(z);
  annotation(experiment(StopTime = 0.55));
end Operators;
