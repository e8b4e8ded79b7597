//! run: flatten --class StreamTwoVolumes
// Stream connectors, one to one: inStream becomes the stream variable of the other side; upwinding by actualStream.
connector FluidPort
  Real p;
  flow Real m_flow;
  stream Real h_outflow;
end FluidPort;

model Volume
  FluidPort port;
  parameter Real V = 1, p0 = 1e5;
  Real U(start = 1e6), M(start = 10);
  Real h = U/M;
equation
  der(M) = port.m_flow;
  der(U) = port.m_flow*actualStream(port.h_outflow);
  port.h_outflow = h;
  port.p = p0*M/10;
end Volume;

model Pipe
  FluidPort a, b;
  parameter Real k = 1e-4;
equation
  a.m_flow = k*(a.p - b.p);
  a.m_flow + b.m_flow = 0;
  a.h_outflow = inStream(b.h_outflow);
  b.h_outflow = inStream(a.h_outflow);
end Pipe;

model StreamTwoVolumes
  Volume v1(p0 = 2e5), v2;
  Pipe pipe;
equation
  connect(v1.port, pipe.a);
  connect(pipe.b, v2.port);
end StreamTwoVolumes;
