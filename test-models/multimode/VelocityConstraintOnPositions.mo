//! run: restart --from g=false --to g=true --at x1=1,x2=5,v1=3,v2=0 --format json
//! approx: /right/x1 == 1 +- 1e-9
//! approx: /right/x2 == 5 +- 1e-9
//! approx: /right/v1 == 1 +- 1e-9
//! approx: /right/v2 == 1 +- 1e-9
//! run: transitions --from g=false --to g=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps len 2
// The constraint is written with der(x): velocities jump, positions stay. (1 + 2)*v = 3.
model VelocityConstraintOnPositions
  Real x1(start = 1), x2(start = 5), v1(start = 3), v2(start = 0), f;
  input Boolean g;
equation
  v1 = der(x1);
  v2 = der(x2);
  1*der(v1) = -f;
  2*der(v2) = f;
  0 = if g then der(x1) - der(x2) else f;
end VelocityConstraintOnPositions;
