//! run: flatten --class StreamOutside
// Stream connectors at the border of a component (outside), and one left unconnected.
connector FluidPort
  Real p;
  flow Real m_flow;
  stream Real h_outflow;
  stream Real X_outflow[2];
end FluidPort;

model Heater
  FluidPort a, b;
  parameter Real Q = 100;
equation
  a.p = b.p;
  a.m_flow + b.m_flow = 0;
  b.h_outflow = inStream(a.h_outflow) + Q;
  a.h_outflow = inStream(b.h_outflow) - Q;
  b.X_outflow = inStream(a.X_outflow);
  a.X_outflow = inStream(b.X_outflow);
end Heater;

model Unit "Two heaters in series behind outside ports, and one drain without partner"
  FluidPort a, b;
  Heater h1(Q = 10), h2;
equation
  connect(a, h1.a);
  connect(h1.b, h2.a);
  connect(h2.b, b);
end Unit;

model Ambient
  FluidPort port;
equation
  port.p = 1e5;
  port.h_outflow = 4.2e4;
  port.X_outflow = {0.7, 0.3};
end Ambient;

model StreamOutside
  Unit unit;
  Ambient ambient;
equation
  connect(ambient.port, unit.a);
end StreamOutside;
