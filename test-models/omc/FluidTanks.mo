//! run: flatten --class FluidTanks
// Fluid ports with pressure and mass flow: three tanks joined in one node by orifices with root characteristic.
connector FluidPort
  Real p(unit = "Pa", nominal = 1e5);
  flow Real m_flow(unit = "kg/s");
end FluidPort;

function signedRoot "Root with sign, made smooth near zero"
  input Real x;
  input Real eps = 1e-3;
  output Real y;
algorithm
  y := x/sqrt(sqrt(x*x + eps*eps));
end signedRoot;

model Tank
  constant Real g = 9.81;
  parameter Real A(unit = "m2") = 1, rho = 1000, level0 = 1;
  Real level(start = level0, fixed = true, min = 0, unit = "m");
  FluidPort bottom;
equation
  rho*A*der(level) = bottom.m_flow;
  bottom.p = 1e5 + rho*g*level;
end Tank;

model Orifice
  FluidPort a, b;
  parameter Real k = 0.01;
  Real dp(unit = "Pa") = a.p - b.p;
equation
  a.m_flow = k*signedRoot(dp, 1.0);
  a.m_flow + b.m_flow = 0;
end Orifice;

model FluidTanks
  Tank t1(level0 = 3), t2(A = 2), t3(A = 0.5, level0 = 0.2);
  Orifice o1, o2(k = 0.02), o3;
equation
  connect(t1.bottom, o1.a);
  connect(t2.bottom, o2.a);
  connect(t3.bottom, o3.a);
  connect(o1.b, o2.b);
  connect(o2.b, o3.b);
end FluidTanks;
