//! exit: 1
//! code: MS0001 line 11
//! snapshot
//! mend: 11:   else
// Wrong: the last branch is for all other cases.
model ElseIfWithoutCondition
  Real x(start = 0, fixed = true);
equation
  if x < 1 then
    der(x) = 2;
  elseif
    der(x) = 0.5;
  end if;
end ElseIfWithoutCondition;
