//! run: restart --from g=false --to g=true --at phi=4,w=4 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/phi == 4 +- 1e-9
//! approx: /right/w == 0 +- 1e-9
//! approx: /weights/F == -16 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/phi == 4 +- 1e-6
//! approx: /final/w == 0 +- 1e-6
// A lever hits a stop for its end: the constraint is on another variable than the state.
model LeverStop
  parameter Real r = 0.5;
  Real phi(start=0, fixed=true), w(start=4, fixed=true), x, F;
  Boolean g;
equation
  x = r*phi;
  der(phi) = w;
  2*der(w) = r*F;
  g = pre(x) >= 2;
  if g then
    x = 2;
  else
    F = 0;
  end if;
end LeverStop;
