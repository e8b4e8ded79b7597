//! run: restart --from g=false --to g=true --at v1=4,v2=0 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/v1 == 2 +- 1e-9
//! approx: /right/v2 == 2 +- 1e-9
//! approx: /weights/F == 2 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/v1 == 2 +- 1e-6
//! approx: /final/v2 == 2 +- 1e-6
// A joint that locks and breaks later.
model LatchThenBreak
  Real v1(start=4, fixed=true), v2(start=0, fixed=true), F;
  Boolean late;
  Boolean g;
equation
  g = time >= 1;
  late = time >= 1.5;
  der(v1) = -F;
  der(v2) = F;
  if g and not late then
    v1 = v2;
  else
    F = 0;
  end if;
end LatchThenBreak;
