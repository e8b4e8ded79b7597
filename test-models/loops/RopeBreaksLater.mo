//! run: modes --format json
//! json: /loops len 0
// Which equations hold depends on what was, so the force is known before the condition.
model RopeBreaksLater
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), T;
  Boolean broken(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = 1 - T;
  if pre(broken) then
    T = 0;
  else
    x = 0;
  end if;
  when T > 0.5 then
    broken = true;
  end when;
end RopeBreaksLater;
