//! run: simulate --format json --stop-time 1
//! json: /completed == true
//! approx: /final/teeth == 3 +- 1e-12
//! approx: /final/w1 == 0.875 +- 1e-6
// An algorithm mixes a sawtooth with what it decides, a counter reads that, and the structure changes: teeth at 0.2, 0.5 and 0.8. At
// 0.25 the clutch makes 1.25 and -0.0625 to 0.59375, from where both go on with (1 - 0.25)/2.
model TeethCountedBesideClutch
  Real saw;
  Boolean high;
  Integer teeth(start = 0, fixed = true);
  Real w1(start = 1, fixed = true);
  Real w2(start = 0, fixed = true);
  Real tau;
algorithm
  saw := mod(time, 0.3);
  high := saw > 0.2;
equation
  when high then
    teeth = pre(teeth) + 1;
  end when;
  der(w1) = 1 - tau;
  der(w2) = tau - 0.25;
  if time >= 0.25 then
    w1 = w2;
  else
    tau = 0;
  end if;
end TeethCountedBesideClutch;
