//! exit: 1
//! code: MS2004 line 8
//! snapshot
//! mend: 8:   Modelica.Blocks.Continuous.FirstOrder filter(T = 0.1);
// Wrong: the class of a component is misspelt.
model ClassMisspelt
  Modelica.Blocks.Sources.Sine signal(f = 2);
  Modelica.Blocks.Continuous.FirstOder filter(T = 0.1);
equation
  connect(signal.y, filter.u);
end ClassMisspelt;
