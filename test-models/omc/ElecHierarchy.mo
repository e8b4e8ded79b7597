//! run: flatten --class ElecHierarchy
// Inside and outside connectors: a low-pass stage with its own pins is used twice in a chain.
connector Pin
  Real v(unit = "V");
  flow Real i(unit = "A");
end Pin;

partial model TwoPin
  Pin p, n;
  Real v(unit = "V") = p.v - n.v;
equation
  p.i + n.i = 0;
end TwoPin;

model Resistor
  extends TwoPin;
  parameter Real R = 1;
equation
  v = R*p.i;
end Resistor;

model Capacitor
  extends TwoPin;
  parameter Real C = 1;
equation
  p.i = C*der(v);
end Capacitor;

model LowPass "One stage; all four pins are seen from outside"
  Pin inP, inN, outP, outN;
  parameter Real tau = 0.01;
  parameter Real R = 100;
  Resistor r(R = R);
  Capacitor c(C = tau/R);
equation
  connect(inP, r.p);
  connect(r.n, c.p);
  connect(r.n, outP);
  connect(c.n, inN);
  connect(inN, outN);
end LowPass;

model Source
  extends TwoPin;
equation
  v = sin(100*time);
end Source;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model ElecHierarchy
  Source s;
  LowPass first(tau = 0.02);
  LowPass second(R = 1000);
  Ground g;
equation
  connect(s.p, first.inP);
  connect(s.n, first.inN);
  connect(first.outP, second.inP);
  connect(first.outN, second.inN);
  connect(g.p, s.n);
end ElecHierarchy;
