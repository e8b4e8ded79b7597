//! run: restart --from g=false --to g=true --at s=0,v=1,time=1 --format json
//! json: /verdict == "determined"
//! approx: /right/s == 3 +- 1e-12
//! approx: /right/v == 2 +- 1e-12
//! json: /assumed len 0
model MovingTarget "The derivative of a known motion is its own, not zero"
  Real s(start = 0);
  Real v(start = 1);
  Real force;
  Real ramp;
  input Boolean g;
equation
  ramp = 1 + 2*time;
  der(s) = v;
  der(v) = force;
  if g then
    s = ramp;
  else
    force = 0;
  end if;
end MovingTarget;
