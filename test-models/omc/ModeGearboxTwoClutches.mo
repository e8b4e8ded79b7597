//! run: flatten --class ModeGearboxTwoClutches
// Multimode: a gearbox of two paths with one clutch each; never both engaged; both open is neutral.
connector Flange
  Real w;
  flow Real tau;
end Flange;

model Gear
  Flange a, b;
  parameter Real ratio = 1;
equation
  a.w = ratio*b.w;
  b.tau = -ratio*a.tau;
end Gear;

model Clutch
  Flange a, b;
  input Boolean engaged;
equation
  a.tau + b.tau = 0;
  0 = if engaged then a.w - b.w else a.tau;
end Clutch;

model Inertia
  Flange a;
  parameter Real J = 1, w0 = 0;
  input Real load;
equation
  J*der(a.w) = a.tau + load;
initial equation
  a.w = w0;
end Inertia;

model ModeGearboxTwoClutches
  Integer gear = if time < 1 then 0 elseif time < 4 then 1 elseif time < 4.2 then 0 else 2;
  Inertia engine(J = 0.2, w0 = 100, load = 10);
  Inertia car(J = 20, load = -0.5*car.a.w);
  Clutch c1(engaged = gear == 1), c2(engaged = gear == 2);
  Gear g1(ratio = 4), g2(ratio = 2);
equation
  connect(engine.a, c1.a);
  connect(engine.a, c2.a);
  connect(c1.b, g1.a);
  connect(c2.b, g2.a);
  connect(g1.b, car.a);
  connect(g2.b, car.a);
end ModeGearboxTwoClutches;
