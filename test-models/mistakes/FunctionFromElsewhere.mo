//! exit: 1
//! code: MS2042
//! snapshot
//! mend: 6:   parameter Real w = Modelica.Units.Conversions.from_rpm(3000);
model FunctionFromElsewhere
  parameter Real w = from_rpm(3000);
  Real phi(start = 0, fixed = true);
equation
  der(phi) = w;
end FunctionFromElsewhere;
