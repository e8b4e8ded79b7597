//! exit: 1
//! code: MS2044 line 12
//! snapshot
//! mend: 12:   connect(R1.n, C1.p);
model ComponentsConnected "RC element"
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 5);
  Modelica.Electrical.Analog.Basic.Resistor R1(R = 100);
  Modelica.Electrical.Analog.Basic.Capacitor C1(C = 1e-3, v(start = 0, fixed = true));
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(source.p, R1.p);
  connect(R1, C1.p);
  connect(C1.n, source.n);
  connect(source.n, ground.p);
end ComponentsConnected;
