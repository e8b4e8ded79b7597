//! run: simulate --format json
//! json: /completed == true
//! json: /final/n == 10
//! approx: /statistics/steps == 150 +- 150
// Two gates of a millisecond in a ring with a clock. What they delay changes at events only, so the steps are those of the
// events and not a hundred thousand that a millisecond would ask for.
model DelayedBits
  Boolean clock(start = false, fixed = true);
  Real a = if clock then 1 else 0;
  Real b = delay(a, 0.001);
  Real c = delay(b, 0.001);
  Boolean d = c > 0.5;
  Integer n(start = 0, fixed = true);
equation
  when sample(10, 10) then
    clock = not pre(clock);
  end when;
  when change(d) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 105));
end DelayedBits;
