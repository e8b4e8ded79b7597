//! run: flatten --class AcceptedIfBranchesUnequal
// Accepted when flattened (translation fails later): an if-equation on time whose branches have one and two equations.
model AcceptedIfBranchesUnequal
  Real x(start = 1), y;
equation
  if time > 1 then
    der(x) = -x;
    y = 1;
  else
    der(x) = x;
  end if;
end AcceptedIfBranchesUnequal;
