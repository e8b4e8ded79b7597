//! run: transitions --from hit=false --to hit=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps == ["v"]
//! json: /transitions/0/impulsive/force == "1"
//! run: restart --from hit=false --to hit=true --at s=0.25,v=-1 --format json
//! approx: /right/v == 0 +- 1e-12
//! approx: /right/s == 0.25 +- 1e-12
//! approx: /weights/force == 1 +- 1e-12
model StopAtConstantHeight "The crossing says that the constraint holds already, also through another unknown"
  Real s(start = 1);
  Real v(start = -1);
  Real force;
  Real floor;
  Boolean reached(start = false, fixed = true);
  Boolean hit(start = false);
equation
  floor = 0.25;
  reached = s - floor <= 0;
  hit = pre(reached);
  der(s) = v;
  der(v) = force;
  if hit then
    s = floor;
  else
    force = 0;
  end if;
end StopAtConstantHeight;
