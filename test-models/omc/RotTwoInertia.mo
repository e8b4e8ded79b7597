//! run: flatten --class RotTwoInertia
// Rotational flanges: two inertias, a spring-damper between them, a torque source; start values by modification.
type Angle = Real(final quantity = "Angle", final unit = "rad", displayUnit = "deg");
type AngularVelocity = Real(final unit = "rad/s");
type Torque = Real(final unit = "N.m");

connector Flange
  Angle phi;
  flow Torque tau;
end Flange;

model Inertia
  parameter Real J(unit = "kg.m2", min = 0) = 1;
  Flange a, b;
  Angle phi(start = 0);
  AngularVelocity w(start = 0);
equation
  phi = a.phi;
  phi = b.phi;
  w = der(phi);
  J*der(w) = a.tau + b.tau;
end Inertia;

model SpringDamper
  parameter Real c(unit = "N.m/rad"), d(unit = "N.m.s/rad") = 0;
  Flange a, b;
  Angle phi_rel = b.phi - a.phi;
equation
  b.tau = c*phi_rel + d*der(phi_rel);
  a.tau = -b.tau;
end SpringDamper;

model TorqueSource
  Flange b;
  parameter Torque amplitude = 1;
equation
  b.tau = -amplitude*sin(time);
end TorqueSource;

model RotTwoInertia
  Inertia motor(J = 0.5, w(start = 10, fixed = true), phi(fixed = true));
  Inertia load(J = 5, phi(start = 0.1, fixed = true), w(fixed = true));
  SpringDamper shaft(c = 1000, d = 3);
  TorqueSource drive(amplitude = 20);
equation
  connect(drive.b, motor.a);
  connect(motor.b, shaft.a);
  connect(shaft.b, load.a);
end RotTwoInertia;
