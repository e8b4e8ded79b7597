//! run: flatten --class ModeRectifier
// Multimode: bridge rectifier of four ideal diodes (an array) with pins, parametric form with if-expressions and connect.
connector Pin
  Real v;
  flow Real i;
end Pin;

partial model TwoPin
  Pin p, n;
  Real u = p.v - n.v;
  Real i = p.i;
equation
  p.i + n.i = 0;
end TwoPin;

model Diode
  extends TwoPin;
  parameter Real Vknee = 0;
  Boolean off(start = true);
  Real s;
equation
  off = s < 0;
  u = Vknee + s*(if off then 1 else 0);
  i = s*(if off then 0 else 1);
end Diode;

model Source
  extends TwoPin;
equation
  u = 10*sin(314*time);
end Source;

model Resistor
  extends TwoPin;
  parameter Real R = 1;
equation
  u = R*i;
end Resistor;

model Capacitor
  extends TwoPin;
  parameter Real C = 1e-3;
equation
  C*der(u) = i;
end Capacitor;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model ModeRectifier
  Source source;
  Resistor rs(R = 0.1), load(R = 50);
  Diode d[4](each Vknee = 0.7);
  Capacitor c;
  Ground g;
equation
  connect(source.p, rs.p);
  connect(rs.n, d[1].p);
  connect(rs.n, d[2].n);
  connect(source.n, d[3].p);
  connect(source.n, d[4].n);
  connect(d[1].n, c.p);
  connect(d[3].n, c.p);
  connect(d[2].p, c.n);
  connect(d[4].p, c.n);
  connect(c.p, load.p);
  connect(c.n, load.n);
  connect(c.n, g.p);
end ModeRectifier;
