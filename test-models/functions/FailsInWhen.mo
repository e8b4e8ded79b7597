//! run: simulate --format json
//! exit: 1
//! code: MS6008
//! approx: /time == 0.4 +- 1e-9
// A function that fails leaves no value. A discrete variable without one ends the run, even if nobody reads it.
model FailsInWhen
  function twice
    input Real t;
    output Real y;
  algorithm
    assert(t < 0.35, "too late");
    y := 2*t;
  end twice;
  discrete Real s(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    s = twice(time);
  end when;
end FailsInWhen;
