//! exit: 1
//! code: MS3009 line 7
//! snapshot
//! mend: 7:   Modelica.Blocks.Math.Gain gain(k = 2);
// Wrong: an input is connected and modified.
model InputByModifierAndConnection
  Modelica.Blocks.Math.Gain gain(k = 2, u = 3);
  Modelica.Blocks.Sources.Constant source(k = 1);
equation
  connect(source.y, gain.u);
end InputByModifierAndConnection;
