//! exit: 1
//! code: MS0001 line 6
//! snapshot
//! mend: 6:   parameter Real k = 2;
model ParameterWithoutType "Decay"
  parameter k = 2;
  Real x(start = 1);
equation
  der(x) = -k*x;
end ParameterWithoutType;
