//! run: restart --from g=false --to g=true --at vy=-1,w=0,l=-1 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/vy == -0.5 +- 1e-9
//! approx: /right/w == -0.5 +- 1e-9
//! approx: /right/l == -1 +- 1e-9
//! approx: /weights/P == 0.5 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/l == -1 +- 1e-6
//! approx: /final/vy == -0.5 +- 1e-6
// One of two legs of a platform locks its rate: the platform turns about it.
model LegLocks
  parameter Real a = 1;
  Real vy(start=-1, fixed=true), w(start=0, fixed=true), P, l(start=0, fixed=true);
  Boolean g;
equation
  g = time >= 1;
  der(vy) = P;
  der(w) = -a*P;
  der(l) = vy - a*w;
  if g then
    der(l) = 0;
  else
    P = 0;
  end if;
end LegLocks;
