//! exit: 1
//! code: MS0008 line 7
//! snapshot
//! mend: 7:   Modelica.Blocks.Math.Gain gain(k = 2);
// Wrong: `:` gives a value.
model ColonInModifier
  Modelica.Blocks.Math.Gain gain(k: 2);
  Modelica.Blocks.Sources.Step source(startTime = 1);
equation
  connect(source.y, gain.u);
end ColonInModifier;
