//! code: MS0008 line 5
//! snapshot
//! mend: 5:   parameter Real m = 0.4 "Mass";
model ParameterAssigned "Falling ball with drag"
  parameter Real m := 0.4 "Mass";
  parameter Real d = 0.02;
  Real v(start = 0, fixed = true);
equation
  m*der(v) = m*9.81 - d*v*abs(v);
end ParameterAssigned;
