//! exit: 1
//! code: MS0004 line 14
//! snapshot
//! mend: 13+:   end if;
// Wrong: the if-equation is not closed.
model ForgottenEndIf
  Real x(start = 0, fixed = true);
  Boolean up = time < 1;
equation
  if up then
    der(x) = 1;
  else
    der(x) = -1;
end ForgottenEndIf;
