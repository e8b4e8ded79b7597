//! exit: 1
//! code: MS2021 line 11
//! snapshot
//! mend: 6:   parameter Real weight[4] = {0.2, 0.3, 0.4, 0.1};
model ProductOfUnequalLengths "Weighted mean of sensors"
  parameter Real weight[3] = {0.2, 0.3, 0.5};
  Real reading[4];
  Real mean;
equation
  reading = {sin(time), sin(2*time), sin(3*time), sin(4*time)};
  mean = weight*reading;
end ProductOfUnequalLengths;
