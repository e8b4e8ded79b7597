//! run: restart --from g=false --to g=true --at l[1]=-0.5,l[2]=-0.5,s[1]=-1,s[2]=-1 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/l[1] == -0.5 +- 1e-9
//! approx: /right/s[1] == 0 +- 1e-9
//! approx: /right/vy == -0.5 +- 1e-9
//! approx: /right/w == -0.5 +- 1e-9
//! approx: /weights/F[1] == 0.5 +- 1e-9
// One of two legs under a platform locks; here the lengths of the legs are the states.
model StewartLegs
  Real l[2](start={0, 0}, each fixed=true), s[2];
  Real y, phi, vy, w, F[2];
  Boolean g;
equation
  g = time >= 1;
  y = (l[1] + l[2])/2;
  phi = (l[2] - l[1])/2;
  vy = der(y);
  w = der(phi);
  der(vy) = F[1] + F[2] - 1;
  der(w) = F[2] - F[1];
  s = der(l);
  if g then
    s[1] = 0;
  else
    F[1] = 0;
  end if;
  F[2] = 0;
initial equation
  vy = 0;
  w = 0;
end StewartLegs;
