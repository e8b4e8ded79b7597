//! run: simulate --format json
//! exit: 0
//! json: /completed == true
//! approx: /final/inductor.i == 0.000453978233 +- 1e-9
// A switch opens in series with an inductor: the diode takes the current over at that instant, which goes on from 10 A
// and decays with L/R = 0.1 s. With the diode still blocking, the current would jump to zero.
model FreewheelingDiode
  import Modelica.Electrical.Analog;
  Analog.Sources.ConstantVoltage source(V = 10);
  Analog.Basic.Resistor line(R = 1e-6);
  Analog.Basic.Inductor inductor(L = 0.1, i(start = 0, fixed = true));
  Analog.Basic.Resistor load(R = 1);
  Analog.Ideal.IdealOpeningSwitch switch;
  Analog.Ideal.IdealDiode diode;
  Analog.Basic.Ground ground;
equation
  switch.control = time > 1;
  connect(source.p, line.p);
  connect(line.n, switch.p);
  connect(switch.n, inductor.p);
  connect(inductor.n, load.p);
  connect(load.n, source.n);
  connect(ground.p, source.n);
  connect(diode.p, source.n);
  connect(diode.n, inductor.p);
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end FreewheelingDiode;
