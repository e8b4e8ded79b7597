//! run: simulate --format json
//! json: /completed == true
//! approx: /final/n == 5 +- 1e-09
//! approx: /final/m == 135 +- 1e-09
//! approx: /final/seen == 1 +- 1e-09
//! approx: /final/t == 4.083333333 +- 1e-06
//! approx: /final/h == 1 +- 1e-06
//! approx: /final/every == 4.083333333 +- 1e-06
//! approx: /final/later == 4.083333333 +- 1e-06
//! approx: /final/k == 345 +- 1e-09
//! approx: /final/h1 == 0.25 +- 1e-09
//! run: transitions
//! stdout: up: false → true
// The sine rises through 1/2 once in a second: at 1/12, 13/12, … The clock is as late as what it samples, so `seen` is true.
model EventClock
  Real x = sin(2*3.14159265358979*time);
  Boolean up = x > 0.5;
  Integer n(start = 0), m(start = 0), k(start = 0);
  Boolean seen;
  Real t, h, h1, every, later(start = -1);
equation
  when Clock(up, 0.25) then
    n = previous(n) + 1;
    seen = sample(up);
    t = sample(time);
    h = interval(n);
    h1 = if firstTick(n) then h else previous(h1);
  end when;
  every = subSample(t, 2);
  m = 10*previous(m) + subSample(n, 2);
  later = shiftSample(t, 2);
  k = 10*previous(k) + shiftSample(n, 2);
  annotation(experiment(StopTime = 4.9));
end EventClock;
