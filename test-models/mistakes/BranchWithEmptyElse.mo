//! run: check
//! exit: 1
//! code: MS3005 line 13
//! snapshot
//! mend: 15:   else q = 0;
// Wrong: nothing is said of the flow while the valve is closed.
model BranchWithEmptyElse
  Real p(start = 1, fixed = true);
  Real q;
  Boolean open = time > 2;
equation
  der(p) = q;
  if open then
    q = 5 - p;
  else
  end if;
end BranchWithEmptyElse;
