//! exit: 1
//! code: MS2001 line 9
//! snapshot
//! mend: 9:   A = Modelica.Constants.pi*d^2/4;
model CircleWithCapitalPi "Area of a pipe"
  parameter Real d = 0.05;
  Real A;
equation
  A = PI*d^2/4;
end CircleWithCapitalPi;
