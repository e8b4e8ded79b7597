//! exit: 1
//! code: MS0007 line 7
//! snapshot
//! mend: 7:   Modelica.Blocks.Sources.Ramp ramp(duration = 2);
// Wrong: one dot too many.
model TwoDots
  Modelica.Blocks..Sources.Ramp ramp(duration = 2);
  Modelica.Blocks.Continuous.Integrator position;
equation
  connect(ramp.y, position.u);
end TwoDots;
