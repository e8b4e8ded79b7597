//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 2
//! approx: /initial/inertia1.w == 6.4 +- 1e-9
//! approx: /initial/inertia2.w == 6.4 +- 1e-9
//! approx: /initial/capacitor.v == 1.6 +- 1e-9
//! approx: /events/0/time == 100 +- 1e-9
//! json: /events/0/jumps len 0
//! approx: /events/1/time == 300 +- 1e-9
//! json: /events/1/jumps contains "inertia1.w"
//! json: /events/1/impulses contains "clutch.tau"
//! code: MS6013
// The motor of the Modia paper: 6.4 rad/s after the first instant, free between 100 s and 300 s.
model MotorAndLoad
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 10);
  Modelica.Electrical.Analog.Basic.Resistor resistor(R = 0.5);
  Modelica.Electrical.Analog.Basic.Capacitor capacitor(C = 2);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Electrical.Analog.Basic.RotationalEMF emf(k = 0.25);
  Modelica.Mechanics.Rotational.Components.Inertia inertia1(J = 0.1, w(start = 0));
  Modelica.Mechanics.Rotational.Components.IdealClutch clutch;
  Modelica.Mechanics.Rotational.Components.Inertia inertia2(J = 0.4, w(start = 10));
equation
  clutch.engaged = time < 100 or time >= 300;
  connect(source.p, resistor.p);
  connect(resistor.n, capacitor.p);
  connect(resistor.n, emf.p);
  connect(capacitor.n, ground.p);
  connect(emf.n, ground.p);
  connect(source.n, ground.p);
  connect(emf.flange, inertia1.flange_a);
  connect(inertia1.flange_b, clutch.flange_a);
  connect(clutch.flange_b, inertia2.flange_a);
  annotation(experiment(StopTime = 400));
end MotorAndLoad;
