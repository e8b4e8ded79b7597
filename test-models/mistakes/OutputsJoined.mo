//! exit: 1
//! code: MS3009 line 10
//! snapshot
//! mend: 10:   connect(k.y, int.u);
model OutputsJoined "Integrator beside a constant"
  Modelica.Blocks.Sources.Constant k(k = 1);
  Modelica.Blocks.Continuous.Integrator int;
  Modelica.Blocks.Math.Gain gain(k = -1);
equation
  connect(k.y, int.y);
  connect(int.y, gain.u);
end OutputsJoined;
