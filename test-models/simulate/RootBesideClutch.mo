//! run: simulate --format json
//! json: /completed == true
//! approx: /final/y == 0 +- 1e-12
//! approx: /final/z == 0.3333333333333333 +- 1e-5
//! approx: /final/w2 == -1 +- 1e-6
// The same where the structure changes: w1 falls from 2 with 4 per second, its root counts while it is positive, and at zero
// the clutch takes along an inertia of the same size. z = ∫ sqrt(2 - 4t) dt up to 0.5, by sqrt(2)/… = sqrt(8)/6 less 0.1380712.
model RootBesideClutch
  Real w1(start = 2, fixed = true), w2(start = 0, fixed = true), t, y;
  Real z(start = 0.3333333333333333 - 0.4714045207910317, fixed = true);
  Boolean g;
equation
  der(w1) = -t - 4;
  der(w2) = t;
  g = w1 < 0;
  if g then
    w1 = w2;
  else
    t = 0;
  end if;
  y = if w1 > 0 then sqrt(w1) else 0;
  der(z) = y;
end RootBesideClutch;
