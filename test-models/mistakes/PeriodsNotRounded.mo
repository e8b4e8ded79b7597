//! exit: 1
//! code: MS2025 line 11
//! snapshot
//! mend: 11:   n = integer(time/T);
model PeriodsNotRounded "Pulse width modulation"
  parameter Real T = 0.01;
  parameter Real duty = 0.3;
  Boolean on;
  Integer n;
equation
  n = time/T;
  on = time - n*T < duty*T;
end PeriodsNotRounded;
