//! run: simulate --format json
//! json: /completed == true
//! approx: /final/ticks == 5 +- 1e-9
//! approx: /final/times == 4 +- 1e-9
//! approx: /final/h == 0.6 +- 1e-9
//! approx: /final/hSum == 2 +- 1e-9
//! approx: /final/counter == 7 +- 1e-9
//! approx: /final/y == 4 +- 1e-9
//! approx: /final/z == 3 +- 1e-9
//! approx: /final/last == 0.65 +- 1e-9
// `counter` tenths of a second to the next tick: ticks at 0, 0.3, 0.7, 1.2 and 1.8. The other clock ticks at 0, 0.3, 0.5,
// 0.65 and then no longer.
model VaryingIntervals
  Integer counter(start = 2);
  Real ticks(start = 0), times(start = 0), h, hSum(start = 0);
  Real next(start = 0.5), y(start = 0), z, last;
equation
  when Clock(counter, 10) then
    counter = previous(counter) + 1;
    ticks = previous(ticks) + 1;
    times = previous(times) + sample(time);
    h = interval(ticks);
    hSum = previous(hSum) + h;
  end when;
  when Clock(next) then
    next = if y > 3.5 then 5 else previous(next)/2 + 0.05;
    y = previous(y) + 1;
    last = sample(time);
  end when;
  z = subSample(y, 2);
  annotation(experiment(StopTime = 2));
end VaryingIntervals;
