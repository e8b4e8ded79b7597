//! run: transitions --from locked=false --to locked=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps contains "x"
//! json: /transitions/0/jumps contains "v"
//! run: restart --from locked=false --to locked=true --at x=1,v=0,x2=4,v2=3 --format json
//! approx: /right/x == 3 +- 1e-12
//! approx: /right/x2 == 3 +- 1e-12
//! approx: /right/v == 2 +- 1e-12
// A lock that snaps two masses together wherever they are: the impulse of the force has a derivative of an impulse in
// it, but the centre of mass stays, and the momentum is kept.
model PositionConstraintFromOutside
  Real x(start = 1), v(start = 0), x2(start = 0), v2(start = 1), f;
  input Boolean locked;
equation
  der(x) = v;
  der(v) = -f;
  der(x2) = v2;
  2*der(v2) = f;
  0 = if locked then x - x2 else f;
end PositionConstraintFromOutside;
