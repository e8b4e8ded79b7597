//! run: flatten --class ElecRC
// Electrical pins with flow: a source, a resistor, a capacitor and a ground in one loop.
type Voltage = Real(unit = "V");
type Current = Real(unit = "A");

connector Pin "Electrical pin"
  Voltage v "Potential at the pin";
  flow Current i "Current into the component";
end Pin;

partial model TwoPin "Two pins, current balance inside"
  Pin p;
  Pin n;
  Voltage v "Voltage drop";
  Current i "Current from p to n";
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
end TwoPin;

model Resistor
  extends TwoPin;
  parameter Real R(unit = "Ohm", min = 0) = 10;
equation
  v = R*i;
end Resistor;

model Capacitor
  extends TwoPin(v(start = 0, fixed = true));
  parameter Real C(unit = "F") = 1e-3;
equation
  C*der(v) = i;
end Capacitor;

model StepVoltage
  extends TwoPin;
  parameter Voltage V = 5;
  parameter Real t0(unit = "s") = 0.1;
equation
  v = if time < t0 then 0 else V;
end StepVoltage;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model ElecRC
  StepVoltage source(V = 12);
  Resistor r(R = 100);
  Capacitor c;
  Ground g;
equation
  connect(source.p, r.p);
  connect(r.n, c.p);
  connect(c.n, source.n);
  connect(c.n, g.p);
end ElecRC;
