//! run: transitions --format json
//! exit: 1
//! code: MS5002 line 12
//! json: /initialisation/verdict == "nonlinear-impulse"
//! json: /diagnostics/1/severity == "error"
// Both speeds are fixed and differ, so that no run starts from others.
model TornAtStart
  Real w1(start = 1, fixed = true), w2(start = 3, fixed = true);
  Real t1, t2;
equation
  der(w1) = t1 - w1;
  der(w2) = sinh(t2) - w2;
  t1 + t2 = 0;
  if time < 1 then
    w1 = w2;
  else
    t1 = 0;
  end if;
end TornAtStart;
