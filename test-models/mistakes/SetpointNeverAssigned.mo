//! exit: 1
//! code: MS4012 line 10
//! snapshot
//! mend: 10:   discrete Real setpoint(start = 20, fixed = true);
//! mend: 12+:   when time > 10 then
//! mend: 12+:     setpoint = 22;
//! mend: 12+:   end when;
// Wrong: a discrete variable is never assigned.
model SetpointNeverAssigned
  discrete Real setpoint(start = 20);
  Real T(start = 15, fixed = true);
equation
  der(T) = 0.1*(setpoint - T);
end SetpointNeverAssigned;
