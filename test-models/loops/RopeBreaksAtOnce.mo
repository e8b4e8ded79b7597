//! run: modes --format json
//! exit: 1
//! json: /loops len 1
//! json: /loops/0/status == "state-changing"
//! code: MS4002
// The force breaks the rope, and whether there is a force depends on the rope at the same instant.
model RopeBreaksAtOnce
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), T;
  Boolean broken(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = 1 - T;
  if broken then
    T = 0;
  else
    x = 0;
  end if;
  when T > 0.5 then
    broken = true;
  end when;
end RopeBreaksAtOnce;
