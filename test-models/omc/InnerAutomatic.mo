//! run: flatten --class InnerAutomatic
// An outer component without any inner: an inner of the declared type is added by itself, with a message.
model World
  parameter Real g(unit = "m/s2") = 9.81;
end World;

model Ball
  outer World world;
  Real v(start = 0, fixed = true), h(start = 10, fixed = true);
equation
  der(h) = v;
  der(v) = -world.g;
end Ball;

model InnerAutomatic
  Ball b1, b2(h(start = 5));
end InnerAutomatic;
