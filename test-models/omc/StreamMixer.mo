//! run: flatten --class StreamMixer
// Stream connectors, three to one: the mixing formula for inStream, with min attributes that exclude back flow.
connector FluidPort
  Real p;
  flow Real m_flow;
  stream Real h_outflow;
end FluidPort;

model Boundary
  FluidPort port;
  parameter Real p = 1e5, h = 1e5;
equation
  port.p = p;
  port.h_outflow = h;
end Boundary;

model MassSource
  FluidPort port(m_flow(max = 0));
  parameter Real m = 1, h = 2e5;
equation
  port.m_flow = -m;
  port.h_outflow = h;
end MassSource;

model Sensor "Takes no mass from the node"
  FluidPort port(m_flow(min = 0));
  Real h;
equation
  port.m_flow = 0;
  port.h_outflow = 0;
  h = inStream(port.h_outflow);
end Sensor;

model StreamMixer
  MassSource s1, s2(m = 2, h = 3e5);
  Boundary sink;
  Sensor probe;
equation
  connect(s1.port, sink.port);
  connect(s2.port, sink.port);
  connect(probe.port, sink.port);
end StreamMixer;
