//! run: flatten --class ElecLadder
// Arrays of components with connect in a for-equation: an RC ladder whose length is a parameter.
connector Pin
  Real v(unit = "V");
  flow Real i(unit = "A");
end Pin;

model Resistor
  Pin p, n;
  parameter Real R;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end Resistor;

model GroundedCapacitor
  Pin p;
  parameter Real C;
equation
  C*der(p.v) = p.i;
end GroundedCapacitor;

model Battery "Negative side is ground"
  Pin p;
  parameter Real V = 9;
equation
  p.v = V;
end Battery;

model ElecLadder
  parameter Integer n = 4 "Number of stages";
  parameter Real Rtot = 100, Ctot = 1e-3;
  Resistor r[n](each R = Rtot/n);
  GroundedCapacitor c[n](each C = Ctot/n);
  Battery bat(V = 12);
equation
  connect(bat.p, r[1].p);
  for k in 1:n - 1 loop
    connect(r[k].n, r[k + 1].p);
  end for;
  for k in 1:n loop
    connect(r[k].n, c[k].p);
  end for;
end ElecLadder;
