//! run: simulate --format json
//! approx: /final/reader.load.p.i == 0.25 +- 1e-9
//! approx: /final/two.second.p.i == 0 +- 1e-9
//! run: flatten
//! stdout: reader.bus.b.i = 0.0
// A connection adds the pin `b` to the bus of `reader`, which knows nothing of it: seen from there its current is zero
// (Modelica 3.6 §9.2), so no current comes from the other side either.
connector Pin
  Real v;
  flow Real i;
end Pin;

expandable connector Bus
end Bus;

model Source
  parameter Real R = 1;
  Pin p;
equation
  p.v = R*p.i + 1;
end Source;

model Load
  parameter Real R = 1;
  Pin p;
equation
  p.v = R*p.i;
end Load;

model Two
  Bus bus;
  Source first(R = 1), second(R = 3);
equation
  connect(first.p, bus.a);
  connect(second.p, bus.b);
end Two;

model Reader
  Bus bus;
  Load load(R = 3);
equation
  connect(load.p, bus.a);
end Reader;

model FlowsOnBus
  Two two;
  Reader reader;
equation
  connect(two.bus, reader.bus);
end FlowsOnBus;
