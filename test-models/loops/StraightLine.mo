//! run: modes --format json
//! json: /loops len 0
//! run: check --deny fixpoints
// All conditions can be computed one after the other, however much they seem to depend on each other.
model StraightLine
  input Real u;
  input Boolean first;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Real y, z, twin, rate, limited, w, force, chain[4];
  Boolean high, any, toggle(start = false, fixed = true), on(start = false, fixed = true);
  Boolean positive[3];
  Integer mode(start = 0, fixed = true), n(start = 0, fixed = true);
equation
  // Which of the two comes first is known.
  y = if first then u else (if z > 0 then 1 else 2);
  z = if first then (if y > 0 then 1 else 2) else u;
  // The same in both branches.
  high = twin > 0;
  if high then
    twin = u;
  else
    u - twin = 0;
  end if;
  // A condition that does not matter where it would close a cycle.
  any = first or w > 0;
  w = if first then limited else u;
  limited = if any then rate else 2*rate;
  // A derivative that is computed from states.
  der(x) = v - x;
  rate = if der(x) > 1 then 1 else der(x);
  // A friction that remembers its mode.
  force = if pre(mode) == 0 and v > 0.1 then 1 else 0;
  der(v) = -force;
  mode = if pre(mode) == 0 and v > 0 then 0 else 1;
  // Hysteresis by the value before.
  on = x < 1 or pre(on) and x < 2;
  // Events elsewhere.
  when sample(0, 0.3) then
    toggle = not pre(toggle);
  end when;
  when change(toggle) then
    n = pre(n) + 1;
  end when;
  chain[1] = if toggle and n > 1 then u else -u;
  for i in 1:3 loop
    positive[i] = chain[i] >= 0;
    chain[i + 1] = if positive[i] then chain[i] + abs(v) else chain[i] - 1;
  end for;
end StraightLine;
