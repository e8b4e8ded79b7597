//! run: check --deny warnings
//! exit: 1
//! code: MS3012 line 10
//! snapshot
//! mend: 14+:   connect(coil.n, source.n);
// Wrong: one end of a coil is not connected.
model CoilLeftOpen
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 24);
  Modelica.Electrical.Analog.Basic.Resistor wire(R = 2);
  Modelica.Electrical.Analog.Basic.Inductor coil(L = 0.1);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(source.p, wire.p);
  connect(wire.n, coil.p);
  connect(source.n, ground.p);
end CoilLeftOpen;
