//! exit: 1
//! code: MS2001 line 10
//! snapshot
//! mend: 10:   q = v*Modelica.Constants.pi*d^2/4;
model CircleWithoutPi "Flow through a pipe"
  parameter Real d = 0.05;
  Real v(start = 1, fixed = true);
  Real q;
equation
  q = v*pi*d^2/4;
  der(v) = -0.2*v;
end CircleWithoutPi;
