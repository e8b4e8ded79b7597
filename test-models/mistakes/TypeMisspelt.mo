//! exit: 1
//! code: MS2004 line 8
//! snapshot
//! mend: 8:   Modelica.Units.SI.Temperature T(start = 290, fixed = true);
model TypeMisspelt "Wall of a room"
  parameter Modelica.Units.SI.HeatCapacity C = 4e5;
  parameter Modelica.Units.SI.ThermalConductance G = 20;
  Modelica.Units.SI.Tempreature T(start = 290, fixed = true);
equation
  C*der(T) = G*(273.15 - T);
end TypeMisspelt;
