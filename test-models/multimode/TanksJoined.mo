//! run: restart --from g=false --to g=true --at h1=3,h2=0 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/h1 == 1 +- 1e-9
//! approx: /right/h2 == 1 +- 1e-9
//! approx: /weights/q == 2 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/h1 == 1 +- 1e-6
// A wide valve opens between two tanks: their volume is kept.
model TanksJoined
  Real h1(start=3, fixed=true), h2(start=0, fixed=true), q;
  Boolean g;
equation
  g = time >= 1;
  der(h1) = -q;
  2*der(h2) = q;
  if g then
    h1 = h2;
  else
    q = 0;
  end if;
end TanksJoined;
