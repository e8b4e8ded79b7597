//! exit: 1
//! code: MS0022 line 10
//! snapshot
//! mend: 10:   elsewhen time > 2 then
model ElseWhenInTwoWords "Toggle"
  Boolean on(start = false, fixed = true);
equation
  when time > 1 then
    on = true;
  else when time > 2 then
    on = false;
  end when;
end ElseWhenInTwoWords;
