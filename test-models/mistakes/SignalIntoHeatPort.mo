//! exit: 1
//! code: MS3002 line 9
//! snapshot
//! mend: 9:   body.port.Q_flow = P.y;
model SignalIntoHeatPort "Heated body"
  Modelica.Blocks.Sources.Step P(height = 1000);
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor body(C = 500, T(start = 293, fixed = true));
equation
  connect(P.y, body.port);
end SignalIntoHeatPort;
