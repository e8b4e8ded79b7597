//! exit: 1
//! code: MS0001 line 9
//! snapshot
//! mend: 9:   connect(s.y, g.u);
model ConnectedExpression "Signal chain"
  Modelica.Blocks.Sources.Sine s(f = 1);
  Modelica.Blocks.Math.Gain g(k = 1);
equation
  connect(2*s.y, g.u);
end ConnectedExpression;
