//! exit: 1
//! code: MS2004 line 7
//! snapshot
//! mend: 7:     extends Modelica.Electrical.Analog.Interfaces.OnePort;
model BaseInOtherPackage "A lamp as a resistor of its own"
  model Lamp
    extends Modelica.Electrical.Analog.Interface.OnePort;
    parameter Real R = 10;
  equation
    v = R*i;
  end Lamp;
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 6);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Lamp lamp;
equation
  connect(source.p, lamp.p);
  connect(lamp.n, source.n);
  connect(source.n, ground.p);
end BaseInOtherPackage;
