//! exit: 1
//! code: MS4001 line 10
//! snapshot
//! mend: 16:   connect(second.p, load.p);
//! mend: 16+:   connect(second.n, ground.p);
// Wrong: two current sources are in series.
model CurrentsInSeries
  import Modelica.Electrical.Analog.Basic;
  import Modelica.Electrical.Analog.Sources;
  Sources.ConstantCurrent first(I = 1);
  Sources.ConstantCurrent second(I = 2);
  Basic.Resistor load(R = 5);
  Basic.Ground ground;
equation
  connect(first.n, second.p);
  connect(second.n, load.p);
  connect(load.n, first.p);
  connect(load.n, ground.p);
end CurrentsInSeries;
