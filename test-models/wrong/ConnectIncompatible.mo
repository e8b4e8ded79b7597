//! run: check --class ConnectIncompatible
//! exit: 1
//! code: MS3002 line 27
// Wrong: an electrical pin is connected with a heat port.
connector Pin
  Real v;
  flow Real i;
end Pin;
connector HeatPort
  Real T;
  flow Real Q;
end HeatPort;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Ambient
  HeatPort port;
equation
  port.T = 300;
end Ambient;
model ConnectIncompatible
  Ground g;
  Ambient a;
equation
  connect(g.p, a.port);
end ConnectIncompatible;
