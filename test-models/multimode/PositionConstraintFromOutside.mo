//! run: transitions --from locked=false --to locked=true --format json
//! exit: 1
//! code: MS5001
//! json: /transitions/0/verdict == "undetermined"
//! json: /transitions/0/undetermined_states contains "v"
// A lock that snaps a mass to a position whatever its position was: the position jumps, the velocity is not determined.
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
