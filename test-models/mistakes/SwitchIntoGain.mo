//! exit: 1
//! code: MS3002 line 10
//! snapshot
//! mend: 6:   Modelica.Blocks.Sources.Pulse clock(period = 2);
model SwitchIntoGain "Relay drives a heater"
  Modelica.Blocks.Sources.BooleanPulse clock(period = 2);
  Modelica.Blocks.Math.Gain heater(k = 100);
  Modelica.Blocks.Continuous.FirstOrder oven(T = 30);
equation
  connect(clock.y, heater.u);
  connect(heater.y, oven.u);
end SwitchIntoGain;
