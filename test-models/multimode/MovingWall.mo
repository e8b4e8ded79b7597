//! run: restart --from held=false --to held=true --at time=0,x=0,v=4 --format json
//! approx: /right/v == 2 +- 1e-9
//! approx: /right/x == 0 +- 1e-9
//! approx: /weights/F == -6 +- 1e-9
//! run: transitions --from held=false --to held=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps == ["v"]
// A mass of 3 is gripped by a hand that moves with 2*cos(time): the impulse is 3*(2 - 4).
model MovingWall
  parameter Real m = 3;
  Real x(start = 0), v(start = 4), F;
  input Boolean held;
equation
  der(x) = v;
  m*der(v) = F;
  0 = if held then v - 2*cos(time) else F;
end MovingWall;
