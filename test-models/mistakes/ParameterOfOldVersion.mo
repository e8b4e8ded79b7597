//! exit: 1
//! code: MS2006 line 7
//! snapshot
//! mend: 7:   Modelica.Electrical.Analog.Sources.SineVoltage mains(V = 325, f = 50);
// Wrong: a parameter had another name in an older version of the library.
model ParameterOfOldVersion
  Modelica.Electrical.Analog.Sources.SineVoltage mains(V = 325, freqHz = 50);
  Modelica.Electrical.Analog.Basic.Resistor load(R = 50);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(mains.p, load.p);
  connect(load.n, mains.n);
  connect(mains.n, ground.p);
end ParameterOfOldVersion;
