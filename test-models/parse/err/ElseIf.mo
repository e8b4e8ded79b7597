//! run: parse
//! exit: 1
//! code: MS0004 line 16
// `else if` opens a second `if`; `elseif` was meant.
model ElseIf
  Real x, y;
equation
  if x > 0 then
    y = 1;
  else if x < -1 then
    y = 2;
  else
    y = 3;
  end if;
  der(x) = y;
end ElseIf;
