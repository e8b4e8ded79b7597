//! run: restart --from shorted=false --to shorted=true --at rotor.w=20 --format json
//! approx: /right/rotor.w == 0 +- 1e-9
//! approx: /right/capacitor.v == 0 +- 1e-9
//! run: transitions --from shorted=false --to shorted=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/switch.i == "1"
// A short circuit across a motor without resistance: the speed is tied to the voltage, and both vanish.
model ShortedMotor
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 10);
  Modelica.Electrical.Analog.Basic.Resistor resistor(R = 0.5);
  Modelica.Electrical.Analog.Basic.Capacitor capacitor(C = 2);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Electrical.Analog.Basic.RotationalEMF emf(k = 0.25);
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch switch;
  Modelica.Mechanics.Rotational.Components.Inertia rotor(J = 0.1);
  input Boolean shorted;
equation
  switch.control = shorted;
  connect(source.p, resistor.p);
  connect(resistor.n, capacitor.p);
  connect(resistor.n, emf.p);
  connect(switch.p, emf.p);
  connect(switch.n, ground.p);
  connect(capacitor.n, ground.p);
  connect(emf.n, ground.p);
  connect(source.n, ground.p);
  connect(emf.flange, rotor.flange_a);
end ShortedMotor;
