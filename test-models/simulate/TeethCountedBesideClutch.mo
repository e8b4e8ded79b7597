//! run: simulate --format json --stop-time 1
//! exit: 1
//! code: MS6001
// An algorithm mixes a sawtooth with what it decides, a counter reads that, and the structure changes: such a run is refused where
// its discrete variables cannot be checked.
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
