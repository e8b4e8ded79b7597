//! run: modes --format json
//! json: /loops len 0
// Both branches say the same in other words: x does not depend on g.
model EqualBranches
  Real x;
  Real y(start = 1);
  Boolean g;
equation
  g = x >= 3;
  der(y) = -y;
  if g then
    x = y + y;
  else
    x = 2*y;
  end if;
end EqualBranches;
