//! run: flatten --class InnerOuterHeat
// Connections to an outer connector: every part sends its loss heat to one inner port.
connector HeatPort
  Real T;
  flow Real Q_flow;
end HeatPort;

model Ambient
  HeatPort port;
  parameter Real T = 293;
equation
  port.T = T;
end Ambient;

model Loss
  HeatPort port;
  parameter Real P;
equation
  port.Q_flow = -P;
end Loss;

model Resistor
  outer HeatPort heat;
  parameter Real P = 1;
  Loss loss(P = P);
equation
  connect(loss.port, heat);
end Resistor;

model Box
  Resistor r1(P = 5), r2(P = 7);
end Box;

model InnerOuterHeat
  inner HeatPort heat;
  Box box;
  Resistor r3;
  Ambient ambient;
equation
  connect(heat, ambient.port);
end InnerOuterHeat;
