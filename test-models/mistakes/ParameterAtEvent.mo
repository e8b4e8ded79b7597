//! exit: 1
//! code: MS2035 line 12
//! snapshot
//! mend: 7:   discrete Real goal(start = 20, fixed = true);
// Wrong: a parameter is to change at an event.
model ParameterAtEvent
  parameter Real goal = 20;
  Real T(start = 10, fixed = true);
equation
  der(T) = goal - T;
  when time > 8 then
    goal = 16;
  end when;
end ParameterAtEvent;
