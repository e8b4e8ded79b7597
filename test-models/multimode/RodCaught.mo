//! run: restart --from g=false --to g=true --at vx=0,vy=-1,phi=0,w=0 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/vx == 0 +- 1e-9
//! approx: /right/vy == -0.75 +- 1e-9
//! approx: /right/w == -0.75 +- 1e-9
//! approx: /right/phi == 0 +- 1e-9
//! approx: /weights/Py == 0.25 +- 1e-9
// A falling rod is caught at one end: angular momentum about that end is kept.
model RodCaught
  parameter Real L = 1;
  Real vx(start=0, fixed=true), vy(start=-1, fixed=true), phi(start=0, fixed=true),
    w(start=0, fixed=true), Px, Py;
  Boolean g;
equation
  g = time >= 1;
  der(phi) = w;
  der(vx) = Px;
  der(vy) = Py;
  (1/3)*der(w) = L*sin(phi)*Px - L*cos(phi)*Py;
  if g then
    vx + L*sin(phi)*w = 0;
    vy - L*cos(phi)*w = 0;
  else
    Px = 0;
    Py = 0;
  end if;
end RodCaught;
