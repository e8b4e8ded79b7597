//! run: flatten --class ModeClutchConnectors
// Multimode: two inertias and a clutch built with flanges; the clutch is engaged by a conditional input or by time.
connector Flange
  Real w(unit = "rad/s");
  flow Real tau(unit = "N.m");
end Flange;

model Inertia
  Flange a, b;
  parameter Real J = 1, w0 = 0;
  Real w(start = w0);
equation
  w = a.w;
  a.w = b.w;
  J*der(w) = a.tau + b.tau;
end Inertia;

model Clutch
  Flange a, b;
  input Boolean engaged;
  Real wRel = a.w - b.w;
equation
  a.tau + b.tau = 0;
  if engaged then
    wRel = 0;
  else
    a.tau = 0;
  end if;
end Clutch;

model Drive
  Flange b;
  parameter Real tau0 = 1;
equation
  b.tau = -tau0*(if time < 3 then 1 else 0);
end Drive;

model Brake
  Flange a;
  parameter Real d = 0.1;
equation
  a.tau = d*a.w;
end Brake;

model ModeClutchConnectors
  Drive drive(tau0 = 5);
  Inertia i1(w0 = 10), i2(J = 3);
  Clutch clutch(engaged = time > 1 and time < 6);
  Brake brake;
equation
  connect(drive.b, i1.a);
  connect(i1.b, clutch.a);
  connect(clutch.b, i2.a);
  connect(i2.b, brake.a);
end ModeClutchConnectors;
