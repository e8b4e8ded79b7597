//! run: check --class MissingInner
//! exit: 1
//! code: MS2016 line 15
// Wrong: an outer component without inner; its type is partial, so none can be made.
partial model World
  parameter Real g;
end World;
model Ball
  outer World world;
  Real v(start = 0);
equation
  der(v) = -world.g;
end Ball;
model MissingInner
  Ball ball;
end MissingInner;
