//! run: restart --from initial --to engaged=true --format json
//! approx: /right/inertia1.w == 6.4 +- 1e-9
//! approx: /right/inertia2.w == 6.4 +- 1e-9
//! approx: /right/capacitor.v == 1.6 +- 1e-9
//! run: transitions --format json
//! json: /initialisation/verdict == "determined"
//! json: /transitions/0/from/engaged == false
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/clutch.tau == "1"
//! json: /transitions/0/jumps contains "inertia1.w"
//! json: /transitions/0/jumps contains "inertia2.w"
//! json: /transitions/1/jumps len 0
model MotorAndLoad "A capacitor acts as an inertia: 6.4 rad/s from 0 and 10"
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 10);
  Modelica.Electrical.Analog.Basic.Resistor resistor(R = 0.5);
  Modelica.Electrical.Analog.Basic.Capacitor capacitor(C = 2);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Electrical.Analog.Basic.RotationalEMF emf(k = 0.25);
  Modelica.Mechanics.Rotational.Components.Inertia inertia1(J = 0.1, w(start = 0));
  Modelica.Mechanics.Rotational.Components.IdealClutch clutch;
  Modelica.Mechanics.Rotational.Components.Inertia inertia2(J = 0.4, w(start = 10));
  input Boolean engaged(start = true);
equation
  clutch.engaged = engaged;
  connect(source.p, resistor.p);
  connect(resistor.n, capacitor.p);
  connect(resistor.n, emf.p);
  connect(capacitor.n, ground.p);
  connect(emf.n, ground.p);
  connect(source.n, ground.p);
  connect(emf.flange, inertia1.flange_a);
  connect(inertia1.flange_b, clutch.flange_a);
  connect(clutch.flange_b, inertia2.flange_a);
end MotorAndLoad;
