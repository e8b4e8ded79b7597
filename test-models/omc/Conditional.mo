//! run: flatten --class Conditional
// Conditional components: present and absent ones, with their connections; an optional heat port of a resistor.
connector Pin
  Real v;
  flow Real i;
end Pin;

connector HeatPort
  Real T;
  flow Real Q;
end HeatPort;

model Resistor
  parameter Boolean useHeatPort = false;
  parameter Real R = 1, T0 = 300;
  Pin p, n;
  HeatPort heat if useHeatPort;
protected
  model Internal
    HeatPort port;
    input Real P;
  equation
    port.Q = -P;
  end Internal;
  Internal internalHeat(P = (p.v - n.v)*p.i);
  model Fixed
    parameter Real T = 300;
    HeatPort port;
  equation
    port.T = T;
  end Fixed;
  Fixed fixedT(T = T0) if not useHeatPort;
equation
  p.v - n.v = R*(1 + 0.004*(internalHeat.port.T - 300))*p.i;
  p.i + n.i = 0;
  connect(internalHeat.port, heat);
  connect(internalHeat.port, fixedT.port);
end Resistor;

model Source
  Pin p, n;
equation
  p.v - n.v = 10;
  n.v = 0;
end Source;

model Mass
  HeatPort port(T(start = 300, fixed = true));
equation
  100*der(port.T) = port.Q;
end Mass;

model Conditional
  constant Boolean warm = true;
  Source s;
  Resistor r1(useHeatPort = warm), r2(R = 2);
  Mass mass if warm;
equation
  connect(s.p, r1.p);
  connect(r1.n, r2.p);
  connect(r2.n, s.n);
  connect(r1.heat, mass.port);
end Conditional;
