//! run: flatten --class ConnectorWithRecord
// A connector that holds a record and an array; flow arrays and a record potential in a three-way connection.
record State
  Real p(unit = "Pa");
  Real T(unit = "K");
end State;

connector Port
  State s;
  flow Real n[2] "amount flow and entropy flow";
end Port;

model Reservoir
  Port port;
  parameter Real p = 1e5, T = 300;
equation
  port.s = State(p, T);
end Reservoir;

model Membrane
  Port a, b;
  parameter Real k[2] = {1e-6, 2e-6};
equation
  a.n = k*(a.s.p - b.s.p);
  a.n + b.n = zeros(2);
end Membrane;

model Chamber
  Port port;
  Real N[2](start = {1, 300}, each fixed = true);
  parameter Real V = 1;
equation
  der(N) = port.n;
  port.s.p*V = N[1]*8.314*port.s.T;
  N[2] = N[1]*port.s.T;
end Chamber;

model ConnectorWithRecord
  Reservoir left(p = 2e5), right;
  Membrane m1, m2(k = {0, 1e-6});
  Chamber chamber;
equation
  connect(left.port, m1.a);
  connect(m1.b, chamber.port);
  connect(chamber.port, m2.a);
  connect(m2.b, right.port);
end ConnectorWithRecord;
