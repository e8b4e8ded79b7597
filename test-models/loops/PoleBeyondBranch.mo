//! run: modes --format json
//! json: /loops/0/status == "undecided"
//! run: check
//! code: MS4003
// Below the threshold the term has a pole at y = -1. For u = 0 both y = 0.618 and y = -1.22 satisfy the equation, although the slope of
// each branch has the same sign wherever the term has a value.
model PoleBeyondBranch
  input Real u;
  Real y;
  Boolean g;
equation
  g = y > 0;
  y = u + (if g then 1/(1 + y) else 1/(1 + y^3));
end PoleBeyondBranch;
