//! run: check --class ConnectFlowToPotential
//! exit: 1
//! code: MS3002 line 27
// Wrong: a flow variable is connected with one that is no flow.
connector A
  Real v;
  flow Real i;
end A;
connector B
  Real i;
  flow Real v;
end B;
model PA
  A c;
equation
  c.v = 1;
end PA;
model PB
  B c;
equation
  c.i = 1;
end PB;
model ConnectFlowToPotential
  PA a;
  PB b;
equation
  connect(a.c, b.c);
end ConnectFlowToPotential;
