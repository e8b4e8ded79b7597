//! run: check --class IfBranchesUnequal
//! exit: 1
//! code: MS3005 line 8
// Wrong: the branches of an if-equation with a time condition have different numbers of equations.
model IfBranchesUnequal
  Real x(start = 1), y;
equation
  if time > 1 then
    der(x) = -x;
    y = 1;
  else
    der(x) = x;
  end if;
end IfBranchesUnequal;
