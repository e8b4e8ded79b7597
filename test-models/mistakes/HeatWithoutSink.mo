//! exit: 1
//! code: MS4001 line 10
//! snapshot
//! mend: 13+:   connect(wall.port_b, ambient.port);
// Wrong: the heat has nowhere to go.
model HeatWithoutSink
  import Modelica.Thermal.HeatTransfer.Components;
  import Modelica.Thermal.HeatTransfer.Sources;
  Sources.FixedHeatFlow oven(Q_flow = 800);
  Components.ThermalConductor wall(G = 12);
  Sources.FixedTemperature ambient(T = 293);
equation
  connect(oven.port, wall.port_a);
end HeatWithoutSink;
