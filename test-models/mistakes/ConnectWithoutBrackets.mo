//! exit: 1
//! code: MS0005 line 11
//! snapshot
//! mend: 11:   connect(source.y, gain.u);
// Wrong: `connect` without brackets.
model ConnectWithoutBrackets
  Modelica.Blocks.Sources.Step source(startTime = 1);
  Modelica.Blocks.Math.Gain gain(k = 2);
  Real y = gain.y;
equation
  connect source.y, gain.u;
end ConnectWithoutBrackets;
