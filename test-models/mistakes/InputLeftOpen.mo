//! exit: 1
//! code: MS4001 line 8
//! snapshot
//! mend: 10+:   connect(step.y, gain.u);
// Wrong: the input of a block is not connected.
model InputLeftOpen
  Modelica.Blocks.Sources.Step step(startTime = 1);
  Modelica.Blocks.Math.Gain gain(k = 2);
  Modelica.Blocks.Continuous.Integrator integrator(y_start = 0);
equation
  connect(gain.y, integrator.u);
end InputLeftOpen;
