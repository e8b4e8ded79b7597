//! exit: 1
//! code: MS3002 line 12
//! snapshot
//! mend: 12:   connect(lamp.n, battery.n);
// Wrong: a pin is connected to a flange.
model PinToFlange
  Modelica.Electrical.Analog.Sources.ConstantVoltage battery(V = 12);
  Modelica.Electrical.Analog.Basic.Resistor lamp(R = 6);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Mechanics.Rotational.Components.Inertia fan(J = 1);
equation
  connect(lamp.n, fan.flange_a);
  connect(battery.p, lamp.p);
  connect(battery.n, ground.p);
end PinToFlange;
