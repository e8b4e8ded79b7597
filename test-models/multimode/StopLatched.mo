//! run: restart --from g=false --to g=true --at x=1,v=2 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/x == 1 +- 1e-9
//! approx: /right/v == 0 +- 1e-9
//! approx: /weights/F == -6 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/x == 1 +- 1e-6
//! approx: /final/v == 0 +- 1e-6
// A body that stays where it hits a stop: all of its momentum goes into the stop.
model StopLatched
  Real x(start=0, fixed=true), v(start=2, fixed=true), F;
  Boolean g(start=false, fixed=true);
equation
  der(x) = v;
  3*der(v) = F;
  when x >= 1 then
    g = true;
  end when;
  if g then
    v = 0;
  else
    F = 0;
  end if;
end StopLatched;
