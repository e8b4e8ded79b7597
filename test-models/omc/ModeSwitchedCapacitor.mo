//! run: flatten --class ModeSwitchedCapacitor
// Multimode: a capacitor switched between a source and a load, built with pins, ideal switches and connect.
connector Pin
  Real v(unit = "V");
  flow Real i(unit = "A");
end Pin;

partial model TwoPin
  Pin p, n;
  Real u, i;
equation
  u = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
end TwoPin;

model IdealSwitch
  extends TwoPin;
  input Boolean closed;
equation
  if closed then
    u = 0;
  else
    i = 0;
  end if;
end IdealSwitch;

model Capacitor
  extends TwoPin(u(start = u0));
  parameter Real C = 1e-3, u0 = 0;
equation
  C*der(u) = i;
end Capacitor;

model Resistor
  extends TwoPin;
  parameter Real R = 1;
equation
  u = R*i;
end Resistor;

model Source
  extends TwoPin;
  parameter Real V = 10;
equation
  u = V;
end Source;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model ModeSwitchedCapacitor
  parameter Real T = 0.01;
  Boolean phase(start = true, fixed = true);
  Source source;
  Resistor inner_(R = 0.1), load(R = 100);
  IdealSwitch s1(closed = phase), s2(closed = not phase);
  Capacitor flying(u0 = 1), out(C = 1e-2);
  Ground g;
equation
  when sample(T, T) then
    phase = not pre(phase);
  end when;
  connect(source.p, inner_.p);
  connect(inner_.n, s1.p);
  connect(s1.n, flying.p);
  connect(flying.p, s2.p);
  connect(s2.n, out.p);
  connect(out.p, load.p);
  connect(source.n, g.p);
  connect(flying.n, g.p);
  connect(out.n, g.p);
  connect(load.n, g.p);
end ModeSwitchedCapacitor;
