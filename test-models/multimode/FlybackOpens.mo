//! run: restart --from g=false --to g=true --at i1=2,i2=0 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/i1 == 0 +- 1e-9
//! approx: /right/i2 == 1 +- 1e-9
//! approx: /weights/v1 == -3 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/i1 == 0 +- 1e-6
//! approx: /final/i2 == 1 +- 1e-6
// The primary current of a transformer with a shorted secondary is interrupted: the secondary flux is kept.
model FlybackOpens
  Real i1(start=2, fixed=true), i2(start=0, fixed=true), v1, v2;
  Boolean g;
equation
  g = time >= 1;
  v1 = 2*der(i1) + der(i2);
  v2 = der(i1) + 2*der(i2);
  v2 = 0;
  if g then
    i1 = 0;
  else
    v1 = 0;
  end if;
end FlybackOpens;
