//! run: check --class Consistent --deny unit-mismatch
//! run: check --class Terms --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 64
//! run: check --class Scaled --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 70
//! run: check --class Bound --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 75
//! run: check --class Related --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 82
//! run: check --class Connected --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 95
//! run: check --class Called --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 109
//! run: check --class Derived --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 115
//! run: check --class Passed --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 123
//! run: check --class Scaled
//! stderr: 1 `mm` is 0.001 `m`
// Units go through equations, sums, relations, bindings, connections and calls. Numbers fit everywhere; variables without a unit
// have that of what they are equal to.
type Length = Real(unit = "m");
type Time = Real(unit = "s");
type Mass = Real(unit = "kg");
type Force = Real(unit = "N");
type Energy = Real(unit = "J");
connector LengthOutput = output Length;
connector TimeInput = input Time;
connector RealOutput = output Real;
connector RealInput = input Real;
model Consistent
  parameter Mass m = 2;
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real c(unit = "N/m") = 100;
  Length s(start = 1, fixed = true);
  Real v(unit = "m/s", start = 0, fixed = true);
  Force f;
  Energy e;
  Real w;
  Real phi(unit = "rad") = s / (2 * s);
  Real rate(unit = "Hz") = sqrt(c / m);
  Length longest = max(s, 0.1);
  Energy empirical = 1234.5 * s ^ 1.3;
equation
  v = der(s);
  m * der(v) = -c * s + m * g;
  f = if s > 0 then c * s else 0;
  e = 0.5 * m * v ^ 2 + c * s ^ 2 / 2;
  w = v;
end Consistent;
model Terms
  parameter Length s = 3;
  Time t = time;
  Length x;
equation
  x = s + t;
end Terms;
model Scaled
  Length s;
  Real d(unit = "mm");
equation
  d = s;
  s = 2;
end Scaled;
model Bound
  parameter Length s = 2;
  parameter Mass m = s;
end Bound;
model Related
  Length s = 2;
  Time t = 3;
  Boolean b;
equation
  b = s > t;
end Related;
block Ruler
  LengthOutput y = 1;
end Ruler;
block Clock_
  TimeInput u;
  Real x = 2 * u;
end Clock_;
model Connected
  Ruler ruler;
  Clock_ watch;
equation
  connect(ruler.y, watch.u);
end Connected;
function area
  input Length a;
  input Length b;
  output Real c(unit = "m2");
algorithm
  c := a * b;
end area;
model Called
  parameter Length s = 3;
  Time t = 2;
  Real a(unit = "m2");
equation
  a = area(s, t);
end Called;
model Derived
  Length s(start = 0, fixed = true);
  Length v = 1;
equation
  der(s) = v;
end Derived;
model Passed
  Length s = 2;
  Real name;
  Time t;
equation
  name = s;
  t = name;
end Passed;
