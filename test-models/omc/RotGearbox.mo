//! run: flatten --class RotGearbox
// A gear inside a housing: outside flanges, three levels of hierarchy, and a support flange left open or grounded.
connector Flange
  Real phi(unit = "rad");
  flow Real tau(unit = "N.m");
end Flange;

model IdealGear
  Flange a, b, support;
  parameter Real ratio = 1;
equation
  a.phi - support.phi = ratio*(b.phi - support.phi);
  0 = ratio*a.tau + b.tau;
  support.tau = -a.tau - b.tau;
end IdealGear;

model Fixed
  Flange flange;
  parameter Real phi0 = 0;
equation
  flange.phi = phi0;
end Fixed;

model Inertia
  Flange a, b;
  parameter Real J = 1;
  Real w;
equation
  a.phi = b.phi;
  w = der(a.phi);
  J*der(w) = a.tau + b.tau;
end Inertia;

model Stage "Gear with a shaft"
  Flange inFlange, outFlange, housing;
  IdealGear gear(ratio = 3);
  Inertia shaft(J = 0.01);
equation
  connect(inFlange, gear.a);
  connect(gear.b, shaft.a);
  connect(shaft.b, outFlange);
  connect(gear.support, housing);
end Stage;

model TwoStages
  Flange a, b;
  Stage s1, s2(gear(ratio = 4));
  Fixed ground;
equation
  connect(a, s1.inFlange);
  connect(s1.outFlange, s2.inFlange);
  connect(s2.outFlange, b);
  connect(s1.housing, ground.flange);
  connect(s2.housing, ground.flange);
end TwoStages;

model RotGearbox
  Inertia motor(J = 0.2);
  TwoStages box;
  Inertia load(J = 20);
equation
  connect(motor.b, box.a);
  connect(box.b, load.a);
end RotGearbox;
