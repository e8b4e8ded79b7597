//! exit: 1
//! code: MS0004 line 16
//! snapshot
//! mend: 11:   elseif time < 2 then
// Wrong: `else if` opens a second if-equation that is not closed.
model ElseIfInTwoWords
  Real u;
equation
  if time < 1 then
    u = 0;
  else if time < 2 then
    u = 1;
  else
    u = 2;
  end if;
end ElseIfInTwoWords;
