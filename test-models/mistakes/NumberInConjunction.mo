//! exit: 1
//! code: MS2021 line 11
//! snapshot
//! mend: 11:   ready = pressure > T_min and doors > 0.5;
model NumberInConjunction "Interlock of a press"
  parameter Real T_min = 5;
  Real pressure = 3 + sin(time);
  Real doors = if time > 1 then 1 else 0;
  Boolean ready;
equation
  ready = pressure > T_min and doors;
end NumberInConjunction;
