//! code: MS3011 line 10
//! snapshot
//! mend: 10:   p = v*i;
model PowerAsQuotient "Battery"
  Modelica.Units.SI.Current i = 10;
  Modelica.Units.SI.Voltage v = 12;
  Modelica.Units.SI.Power p;
  Modelica.Units.SI.Energy E(start = 0, fixed = true);
equation
  p = v/i;
  der(E) = p;
end PowerAsQuotient;
