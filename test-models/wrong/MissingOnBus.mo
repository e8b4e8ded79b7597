//! run: check --class Wrong
//! exit: 1
//! code: MS2018 line 19
//! run: check --class Right
// Wrong: a member of an expandable connector that no connection uses does not exist.
expandable connector Bus
  Real speed;
end Bus;
connector RealOutput = output Real;
block Source
  RealOutput y = time;
end Source;
model Wrong
  Bus bus;
  Source source;
  Real x;
equation
  connect(source.y, bus.torque);
  x = 2 * bus.speed;
end Wrong;
model Right
  Bus bus;
  Source source;
  Real x;
equation
  connect(source.y, bus.speed);
  x = 2 * bus.speed;
end Right;
