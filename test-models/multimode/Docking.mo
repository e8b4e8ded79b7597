//! run: restart --from g=false --to g=true --at x1=4,x2=4,v1=4,v2=0 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/x1 == 4 +- 1e-9
//! approx: /right/x2 == 4 +- 1e-9
//! approx: /right/v1 == 1 +- 1e-9
//! approx: /right/v2 == 1 +- 1e-9
//! approx: /weights/F == 3 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/x1 == 5 +- 1e-6
//! approx: /final/v2 == 1 +- 1e-6
// Two wagons dock where they touch, by a latch that a `when` sets: the positions hold already.
model Docking
  Real x1(start=0, fixed=true), v1(start=4, fixed=true), x2(start=4, fixed=true),
    v2(start=0, fixed=true), F;
  Boolean g(start=false, fixed=true);
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = -F;
  3*der(v2) = F;
  when x1 >= x2 then
    g = true;
  end when;
  if g then
    x1 = x2;
  else
    F = 0;
  end if;
end Docking;
