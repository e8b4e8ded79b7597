//! run: flatten --class ShortClasses
// Short class definitions of all kinds: model, block, record, connector, type, package, function; with arrays and modifiers.
connector Pin
  Real v;
  flow Real i;
end Pin;

connector NegativePin = Pin;
connector Pins = Pin[2];
connector RealInput = input Real(unit = "V");

model Resistor
  parameter Real R = 1;
  Pin p;
  NegativePin n;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end Resistor;

model Kilo = Resistor(R = 1000);
model Mega = Kilo(R = 1e6) "again";
model ThreeKilos = Kilo[3];

record Pair
  Real a = 1, b = 2;
end Pair;

record OtherPair = Pair(b = 5);
package Consts
  constant Real k = 4;
end Consts;
package Other = Consts(k = 8);
function square
  input Real x;
  input Real s = 1;
  output Real y;
algorithm
  y := s*x*x;
end square;
function scaled = square(s = 2);

model Source
  Pins pins;
  RealInput u;
equation
  pins[1].v = u;
  pins[2].v = 0;
end Source;

model ShortClasses
  Source source(u = Other.k*time);
  Mega mega;
  ThreeKilos kilos;
  parameter OtherPair pair;
  Real y = scaled(time) + pair.b;
equation
  connect(source.pins[1], mega.p);
  connect(mega.n, kilos[1].p);
  connect(kilos[1].n, kilos[2].p);
  connect(kilos[2].n, kilos[3].p);
  connect(kilos[3].n, source.pins[2]);
end ShortClasses;
