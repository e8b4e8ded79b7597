//! exit: 1
//! code: MS4012 line 12
//! snapshot
//! mend: 12:
model AssignedInAndOutside "Valve with a timer"
  discrete Real opening(start = 0, fixed = true);
  Real flow_rate;
equation
  when time > 2 then
    opening = 1;
  end when;
  opening = 0;
  flow_rate = 3*opening;
end AssignedInAndOutside;
