//! exit: 1
//! code: MS2046 line 6
//! snapshot
//! mend: 6:   parameter Real a(fixed = false);
model ParameterInInitialAlgorithm "Calibration"
  parameter Real a;
  Real x(start = 0, fixed = true);
equation
  der(x) = a - x;
initial algorithm
  a := 3;
end ParameterInInitialAlgorithm;
