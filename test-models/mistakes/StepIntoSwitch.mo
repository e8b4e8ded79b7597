//! exit: 1
//! code: MS3002 line 13
//! snapshot
//! mend: 7:   Modelica.Blocks.Sources.BooleanStep trigger(startTime = 1);
// Wrong: a Real signal controls a switch.
model StepIntoSwitch
  Modelica.Blocks.Sources.Step trigger(startTime = 1);
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch contact;
  Modelica.Electrical.Analog.Sources.ConstantVoltage battery(V = 12);
  Modelica.Electrical.Analog.Basic.Resistor lamp(R = 6);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(trigger.y, contact.control);
  connect(battery.p, contact.p);
  connect(contact.n, lamp.p);
  connect(lamp.n, battery.n);
  connect(battery.n, ground.p);
end StepIntoSwitch;
