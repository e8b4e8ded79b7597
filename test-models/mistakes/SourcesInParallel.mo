//! exit: 1
//! code: MS4001 line 11
//! snapshot
//! mend: 12+:   Basic.Resistor cable(R = 0.1);
//! mend: 16:   connect(battery.p, cable.p);
//! mend: 16+:   connect(cable.n, charger.p);
// Wrong: two voltage sources are in parallel.
model SourcesInParallel
  import Modelica.Electrical.Analog.Basic;
  import Modelica.Electrical.Analog.Sources;
  Sources.ConstantVoltage battery(V = 12);
  Sources.ConstantVoltage charger(V = 14);
  Basic.Resistor load(R = 4);
  Basic.Ground ground;
equation
  connect(battery.p, charger.p);
  connect(battery.p, load.p);
  connect(charger.n, battery.n);
  connect(load.n, battery.n);
  connect(battery.n, ground.p);
end SourcesInParallel;
