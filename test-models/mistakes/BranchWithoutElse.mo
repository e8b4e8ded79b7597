//! exit: 1
//! code: MS3005 line 12
//! snapshot
//! mend: 13+:   else
//! mend: 13+:     outflow = 0;
// Wrong: an if-equation has no else.
model BranchWithoutElse
  Real h(start = 1, fixed = true);
  Real outflow;
equation
  der(h) = -outflow;
  if h > 0.5 then
    outflow = 0.2;
  end if;
end BranchWithoutElse;
