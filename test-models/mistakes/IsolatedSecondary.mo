//! exit: 0
//! code: MS4008 line 12
//! snapshot
//! mend: 19+:   connect(cell.n, ground.p);
// Wrong: nothing grounds the second winding.
model IsolatedSecondary
  import Modelica.Electrical.Analog.Basic;
  import Modelica.Electrical.Analog.Sources;
  Sources.SineVoltage mains(V = 325, f = 50);
  Basic.Resistor line(R = 1);
  Basic.Ground ground;
  Sources.ConstantVoltage cell(V = 1.5);
  Basic.Resistor lamp(R = 10);
equation
  connect(mains.p, line.p);
  connect(line.n, ground.p);
  connect(mains.n, ground.p);
  connect(cell.p, lamp.p);
  connect(cell.n, lamp.n);
end IsolatedSecondary;
