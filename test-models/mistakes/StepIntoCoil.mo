//! exit: 0
//! code: MS5016
//! snapshot
model StepIntoCoil
  Modelica.Electrical.Analog.Basic.Inductor coil(L = 0.01);
  Modelica.Electrical.Analog.Sources.StepCurrent source(I = 2, startTime = 0.5);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(source.p, coil.p);
  connect(coil.n, ground.p);
  connect(source.n, ground.p);
end StepIntoCoil;
