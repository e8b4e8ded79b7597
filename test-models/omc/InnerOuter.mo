//! run: flatten --class InnerOuter
// inner and outer: a world with parameters and a field function, used from two levels below.
model World
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real wind = 0;
  Real rho = 1.2 - 1e-4*time;
end World;

model Drag
  outer World world;
  input Real v;
  Real f = -0.5*world.rho*(v - world.wind)*abs(v - world.wind);
end Drag;

model Ball
  outer World world;
  parameter Real m = 1;
  Drag drag(v = v);
  Real h(start = 10, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  m*der(v) = drag.f - m*world.g;
end Ball;

model InnerOuter
  inner World world(wind = 3);
  Ball b1, b2(m = 2);
  Real hSum = b1.h + b2.h;
end InnerOuter;
