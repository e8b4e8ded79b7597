//! exit: 1
//! code: MS4001 line 6
//! snapshot
//! mend: 12:
model SourceShorted "Lamp on a battery"
  Modelica.Electrical.Analog.Sources.ConstantVoltage battery(V = 12);
  Modelica.Electrical.Analog.Basic.Resistor lamp(R = 6);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(battery.p, lamp.p);
  connect(lamp.n, battery.n);
  connect(lamp.p, battery.n);
  connect(battery.n, ground.p);
end SourceShorted;
