//! run: flatten --class NestedMods
// Nested modifications through three levels: the outermost one wins; start, fixed and units merge.
type Length = Real(unit = "m", min = 0);

model Spring
  parameter Real c = 1;
  Length s(start = 0.5, nominal = 0.1);
  Real f;
equation
  f = c*s;
end Spring;

model Mass
  parameter Real m = 1;
  Real v(start = 0), x(start = 1);
  Real f;
equation
  der(x) = v;
  m*der(v) = f;
end Mass;

model Oscillator
  Spring spring(c = 10, s(min = -1));
  Mass mass(m = 2, v(fixed = true));
equation
  spring.s = mass.x;
  mass.f = -spring.f;
end Oscillator;

model Pair
  Oscillator left(spring(c = 20, s(start = 0.7)), mass(x(start = 2, fixed = true)));
  Oscillator right(mass.m = 3);
end Pair;

model NestedMods
  Pair pair(left(spring(c = 30), mass.x.start = 4), right.spring.s(max = 10, displayUnit = "mm"));
  parameter Real factor = 1.5;
  Pair other(left.mass(m = factor*2, v.start = factor));
end NestedMods;
