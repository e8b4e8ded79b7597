//! exit: 1
//! code: MS6002 line 9
//! snapshot
//! mend: 9:   Modelica.Electrical.Analog.Basic.Inductor choke(L = 0.1);
// Wrong: a source gives the current of a coil, which is to start at another one.
model CurrentGivenToCoil
  Modelica.Electrical.Analog.Sources.ConstantCurrent source(I = 2);
  // The current in both is the same.
  Modelica.Electrical.Analog.Basic.Inductor choke(L = 0.1, i(start = 0, fixed = true));
  Modelica.Electrical.Analog.Basic.Resistor load(R = 10);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(source.n, choke.p);
  connect(choke.n, load.p);
  connect(load.n, source.p);
  connect(source.p, ground.p);
end CurrentGivenToCoil;
