//! run: check
//! run: simulate --format json
//! approx: /final/count == 5 +- 1e-9
//! approx: /final/both[2] == 10 +- 1e-9
//! approx: /final/x == 2 +- 1e-9
// Several results at once in a `when`: each variable takes its own, whatever their types; and what `when initial()` gives is
// kept.
model TupleInWhen
  function limits
    input Integer k;
    output Real low;
    output Real high;
    output Integer unit;
  algorithm
    low := k;
    high := k + 1;
    unit := 2;
  end limits;
  function step
    input Integer k;
    output Integer n;
    output Boolean last;
    output Integer both[2];
  algorithm
    n := k;
    both := {k, 2*k};
    last := k > 3;
  end step;
  Real low, high;
  Integer unit;
  Integer count(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean last(start = false, fixed = true);
  Integer both[2](each start = 0, each fixed = true);
  Real x(start = 0, fixed = true);
equation
  when initial() then
    (low, high, unit) = limits(2);
  end when;
  when sample(0.1, 0.2) then
    count = pre(count) + 1;
    (n, last, both) = step(count);
  end when;
  der(x) = low;
end TupleInWhen;
