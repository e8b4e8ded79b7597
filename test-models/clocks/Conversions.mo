//! run: simulate --format json
//! json: /completed == true
//! approx: /final/log == 1234567 +- 1e-9
//! approx: /final/logSub == 36 +- 1e-9
//! approx: /final/logSup == 336 +- 1e-9
//! approx: /final/logShift == 123456 +- 1e-9
//! approx: /final/logBack == 7123456 +- 1e-9
//! approx: /final/slow == 66 +- 1e-9
//! approx: /final/other == 76 +- 1e-9
//! approx: /final/unclocked == 7 +- 1e-9
// The values at all ticks are kept as digits: ten times the number so far, plus the value. `sub` ticks at 0, 0.3, 0.6;
// `sup` every 0.15; `shifted` from 0.15 on; `back` from 0.05 on, where `fast` still has its start value. `noClock` sees the
// value of the same tick, `sample` of `hold` the one before.
model Conversions
  Integer n(start = -1);
  Integer sub, sup, shifted, back;
  Integer slow, fast(start = 7);
  Real log(start = 0), logSub(start = 0), logSup(start = 0), logShift(start = 0), logBack(start = 0);
  Integer unclocked, other;
equation
  when Clock(1, 10) then
    n = previous(n) + 1;
    log = 10*previous(log) + n;
  end when;
  sub = subSample(n, 3);
  logSub = 10*previous(logSub) + sub;
  sup = superSample(sub, 2);
  logSup = 10*previous(logSup) + sup;
  shifted = shiftSample(n, 3, 2);
  logShift = 10*previous(logShift) + shifted;
  fast = shiftSample(n, 1);
  back = backSample(fast, 1, 2);
  logBack = 10*previous(logBack) + back;
  slow = noClock(n) + 10*sub;
  other = sample(hold(n)) + 10*n;
  unclocked = hold(n);
  annotation(experiment(StopTime = 0.72));
end Conversions;
