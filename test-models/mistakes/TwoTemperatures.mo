//! exit: 1
//! code: MS4001 line 11
//! snapshot
//! mend: 13+:   Components.ThermalConductor paper(G = 3);
//! mend: 16:   connect(inside.port, paper.port_a);
//! mend: 16+:   connect(paper.port_b, brick.port);
// Wrong: a point has two temperatures.
model TwoTemperatures
  import Modelica.Thermal.HeatTransfer.Components;
  import Modelica.Thermal.HeatTransfer.Sources;
  Sources.FixedTemperature inside(T = 293);
  Sources.FixedTemperature outside(T = 268);
  Components.HeatCapacitor brick(C = 1e4, T(start = 280, fixed = true));
  Components.ThermalConductor plaster(G = 2);
equation
  connect(inside.port, outside.port);
  connect(outside.port, plaster.port_a);
  connect(plaster.port_b, brick.port);
end TwoTemperatures;
