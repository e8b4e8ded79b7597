//! exit: 1
//! code: MS2001 line 11
//! snapshot
//! mend: 11:   T_set = 20 + rate*time;
model TimeAsLetter "Rising set point of an oven"
  parameter Real rate = 0.5;
  parameter Real tau = 40;
  Real T(start = 20, fixed = true);
  Real T_set;
equation
  T_set = 20 + rate*t;
  tau*der(T) = T_set - T;
end TimeAsLetter;
