//! run: flatten --class BusOneByOne
//! stdout: Real bus.x[2] "variable added to expandable connector";
//! stdout: Real bus.looped[3] "variable added to expandable connector";
//! stdout: bus.x[2] = reader[2].u;
//! run: check --class BusOneByOne
//! run: check --class DeepInBus
//! exit: 1
//! code: MS2037 line 37
//! code: MS2037 line 38
// Connections add the elements of an array to an expandable connector one by one, in any order and in loops.
connector RealOutput = output Real;
connector RealInput = input Real;
expandable connector Bus
end Bus;
block Source
  RealOutput y = time;
end Source;
block Reader
  RealInput u;
end Reader;
model BusOneByOne
  Bus bus;
  Source source[5];
  Reader reader[5];
equation
  connect(source[2].y, bus.x[2]);
  connect(source[1].y, bus.x[1]);
  connect(bus.x, reader[1:2].u);
  for i in 1:3 loop
    connect(source[2 + i].y, bus.looped[i]);
    connect(bus.looped[i], reader[2 + i].u);
  end for;
end BusOneByOne;
model DeepInBus
  Bus bus; Source source; Reader reader;
equation
  connect(source.y, bus.sub.v);
  connect(bus.sub.v, reader.u);
end DeepInBus;
