//! exit: 1
//! code: MS3002 line 10
//! snapshot
//! mend: 10:   connect(P.y, source.Q_flow);
model SignalIntoHeatPort "Heated body"
  Modelica.Blocks.Sources.Step P(height = 1000);
  Modelica.Thermal.HeatTransfer.Sources.PrescribedHeatFlow source;
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor body(C = 500, T(start = 293, fixed = true));
equation
  connect(P.y, body.port);
  connect(source.port, body.port);
end SignalIntoHeatPort;
