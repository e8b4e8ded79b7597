//! exit: 1
//! code: MS0008 line 8
//! snapshot
//! mend: 8:   Modelica.Blocks.Math.Gain gain(k = 2);
// Wrong: `==` gives a value.
model ComparisonAsModifier
  Modelica.Blocks.Sources.Step source(startTime = 1);
  Modelica.Blocks.Math.Gain gain(k == 2);
equation
  connect(source.y, gain.u);
end ComparisonAsModifier;
