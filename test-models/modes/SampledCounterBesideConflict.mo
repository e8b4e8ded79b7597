//! run: check
//! exit: 1
//! code: MS4001
//! run: modes --format json
//! exit: 1
//! code: MS4001
// Two sources meet at one node where `a` and `b`. A counter that has nothing to do with it makes no instant of that mode.
model SampledCounterBesideConflict
  input Boolean a, b;
  Real v, i;
  Integer n(start = 0);
equation
  if a then
    v = 10;
  else
    i = 0;
  end if;
  if b then
    v = 5;
  else
    v = 2*i;
  end if;
  when sample(0, 1) then
    n = pre(n) + 1;
  end when;
end SampledCounterBesideConflict;
