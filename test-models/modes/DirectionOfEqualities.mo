//! run: check --deny warnings
//! stdout: no errors
//! run: simulate --format json
//! json: /completed == true
//! approx: /final/shown == 3 +- 1e-12
//! approx: /final/count == 2 +- 1e-12
// Equalities between discrete variables say nothing about which side they define. `shown` has a definition in some cases
// only, so the other cases define it, too, and `source` is defined by the equation without conditions; a `when` defines `held`,
// so `held = copy` defines `copy`. Conditions on
// `pre(count)` in the definition of `count` are one condition, wherever they stand.
model DirectionOfEqualities
  type Phase = enumeration(idle, busy, done);
  Phase source, shown(start = Phase.idle, fixed = true);
  Integer count(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
  Boolean held(start = false, fixed = true), copy;
equation
  held = copy;
  when x > 0.25 then
    held = true;
  end when;
  der(x) = 1;
  Phase.done = source;
  if pre(shown) == Phase.idle then
    if x > 0.5 then
      shown = source;
    else
      shown = pre(shown);
    end if;
  else
    shown = pre(shown);
  end if;
  if pre(count) >= 2 then
    count = pre(count);
  elseif x > 0.75 then
    count = abs(pre(count) + 1);
  else
    count = 0;
  end if;
end DirectionOfEqualities;
