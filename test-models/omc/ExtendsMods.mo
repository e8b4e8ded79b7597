//! run: flatten --class ExtendsMods
// Partial models and extends with modifications; a later extends modifies again what a former one set.
partial model Machine
  parameter Real J(unit = "kg.m2") = 1 "inertia";
  parameter Real d = 0.1 "friction";
  Real w(start = 0, unit = "rad/s");
  Real tau "drive torque, given by the extending model";
equation
  J*der(w) = tau - d*w;
end Machine;

partial model Motor
  extends Machine(J = 0.05, w(start = 1));
  parameter Real k = 0.3;
  Real i;
equation
  tau = k*i;
end Motor;

model SmallMotor
  extends Motor(d = 0.01, w(fixed = true, nominal = 100));
  parameter Real u = 12, R = 2;
equation
  u = R*i + k*w;
end SmallMotor;

model ExtendsMods
  SmallMotor m1;
  SmallMotor m2(J = 0.08, w(start = 5), u = 24);
  extends Machine(final d = 0.5, J = m1.J + m2.J, tau = m1.tau + m2.tau);
end ExtendsMods;
