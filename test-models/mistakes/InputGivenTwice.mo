//! exit: 1
//! code: MS4001 line 10
//! snapshot
//! mend: 10:
model InputGivenTwice "Set point of a filter"
  Modelica.Blocks.Sources.Sine source(f = 1);
  Modelica.Blocks.Continuous.FirstOrder filter(T = 0.2);
equation
  connect(source.y, filter.u);
  filter.u = 1;
end InputGivenTwice;
