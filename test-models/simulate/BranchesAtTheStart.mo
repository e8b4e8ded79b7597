//! run: check
//! exit: 1
//! code: MS3005 line 16
//! run: transitions
//! exit: 1
//! code: MS3005 line 16
//! run: simulate
//! exit: 1
//! code: MS3005 line 16
// An equation more at the start is no initial equation. It is refused, by all commands alike, and not left out.
model BranchesAtTheStart
  Real x(start = 1);
  Real y;
equation
  der(x) = y;
  if initial() then
    x = 3;
    y = 0;
  else
    y = 1;
  end if;
end BranchesAtTheStart;
