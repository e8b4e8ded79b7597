//! run: restart --from g=false --to g=true --at y=1,v=-1,time=1 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/y == 1 +- 1e-9
//! approx: /right/v == 0.5 +- 1e-9
//! approx: /weights/F == 3 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/y == 1.5 +- 1e-6
//! approx: /final/v == 0.5 +- 1e-6
// A body lands on a platform that rises at a constant speed.
model PlatformCatch
  Real y(start=2, fixed=true), v(start=-1, fixed=true), F, yp;
  Boolean g;
equation
  yp = 0.5 + 0.5*time;
  der(y) = v;
  2*der(v) = F;
  g = pre(y) <= pre(yp);
  if g then
    y = yp;
  else
    F = 0;
  end if;
end PlatformCatch;
