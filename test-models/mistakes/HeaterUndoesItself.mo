//! code: MS4003 line 10
//! snapshot
//! mend: 11:   T_out = T_in + (if pre(on) then 25 else 0);
model HeaterUndoesItself "Instantaneous water heater"
  parameter Real T_set = 40;
  Real T_in = 30 + 2*sin(time);
  Real T_out;
  Boolean on;
equation
  on = T_out < T_set;
  T_out = T_in + (if on then 25 else 0);
end HeaterUndoesItself;
