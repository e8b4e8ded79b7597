//! exit: 1
//! code: MS4012 line 11
//! snapshot
//! mend: 13:   elsewhen x < -0.9 then
//! mend: 14:
// Wrong: two when-equations assign the same variable.
model AssignedInTwoWhens
  Real x = sin(time);
  discrete Real peak(start = 0, fixed = true);
equation
  when x > 0.9 then
    peak = time;
  end when;
  when x < -0.9 then
    peak = -time;
  end when;
end AssignedInTwoWhens;
