//! run: restart --from hit=false --to hit=true --at s=0,v=-2,w=-1 --format json
//! json: /verdict == "determined"
//! approx: /right/s == 0 +- 1e-12
//! approx: /right/w == 0 +- 1e-12
//! approx: /right/v == 0 +- 1e-12
//! approx: /weights/torque == 1 +- 1e-12
model DrumAgainstWall "The same with the speed named"
  parameter Real r = 2;
  Real s(start = 1);
  Real v;
  Real w(start = -1);
  Real torque;
  Boolean hit(start = false), reached(start = false, fixed = true);
equation
  reached = s <= 0;
  hit = pre(reached);
  v = der(s);
  v = r*w;
  der(w) = torque;
  if hit then
    s = 0;
  else
    torque = 0;
  end if;
end DrumAgainstWall;
