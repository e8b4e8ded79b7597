//! run: simulate --format json
//! json: /completed == true
//! approx: /final/driver.w == -2 +- 1e-5
//! approx: /final/driven.w == 0.5 +- 1e-5
// A free wheel: the driver is accelerated and takes the driven shaft along, then braked by a step; the driven one
// runs ahead. Both turn with 0.5 rad/s at t = 1, then the driver alone with -2.5 N.m.
model FreeWheelByStep
  Modelica.Mechanics.Rotational.Components.Inertia driver(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Modelica.Mechanics.Rotational.Components.Inertia driven(J = 1, phi(start = 0, fixed = true), w(start = 0));
  Modelica.Mechanics.Rotational.Components.OneWayClutch wheel;
  Modelica.Mechanics.Rotational.Sources.Torque torque;
equation
  torque.tau = if time < 1 then 1 else -2.5;
  connect(torque.flange, driver.flange_a);
  connect(driver.flange_b, wheel.flange_a);
  connect(wheel.flange_b, driven.flange_a);
  annotation(experiment(StopTime = 2));
end FreeWheelByStep;
