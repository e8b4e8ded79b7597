//! run: simulate --format json
//! json: /completed == true
//! approx: /final/y == 2 +- 1e-9
//! approx: /final/k == 6 +- 1e-12
//! approx: /final/tooth == 0.75 +- 1e-6
//! approx: /final/h == 10 +- 1e-6
//! approx: /final/less == 9 +- 1e-6
//! approx: /final/path == 4.8 +- 1e-4
// Algorithms that assign discrete variables together with what moves, beside a clutch: at 0.5 it makes 2 and 0 to 1 and 1.
//   latched, y: from 0.5 on the integer part of 3*time, which steps at 2/3 (before: -1)
//   k, tooth:   k = 2, three times that from 0.5 on; tooth: the sawtooth of period 1/3 with 0.25 added
//   h, less:    7 after 0.2, then ten times w2 at 0.5 and again at 0.8, less w1
//   path:       0.5 and the integral of less, 0.2*(1 - 2) + 0.3*(7 - 2) + (10 - 1)/3
model AlgorithmsBesideClutch
  Real w1(start = 2, fixed = true), w2(start = 0, fixed = true), t;
  Boolean g, latched(start = false, fixed = true);
  Integer k(start = 2, fixed = true);
  Real y, tooth, less, path(start = 0.5, fixed = true);
  discrete Real h(start = 1, fixed = true);
equation
  der(w1) = -t;
  der(w2) = t;
  if g then
    w1 = w2;
  else
    t = 0;
  end if;
  g = time > 0.5;
  der(path) = less;
algorithm
  if w2 > 0.5 then
    latched := true;
  end if;
  y := if latched then floor(3*time) else -1;
algorithm
  tooth := mod(3*time, 1);
  if edge(g) then
    k := 3*k;
  end if;
  tooth := tooth + 0.25;
  if change(k) then
    tooth := -5;
  end if;
algorithm
  when {g, time > 0.8} then
    h := 10*w2;
  elsewhen time > 0.2 then
    h := 7;
  end when;
  less := h - w1;
  annotation(experiment(StopTime = 0.83333333333333333));
end AlgorithmsBesideClutch;
