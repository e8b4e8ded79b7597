//! run: check --class Product --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 22
//! run: check --class Integral --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 30
//! run: check --class Body --deny unit-mismatch
//! exit: 1
//! code: MS3011 line 36
//! run: check --class Number --deny unit-mismatch
// A variable without a unit has that of what is computed for it, or of the integral of its derivative; statements of functions
// are held to the units of its variables. A number without a dimension may stand for anything.
type Length = Real(unit = "m");
type Velocity = Real(unit = "m/s");
type Time = Real(unit = "s");
model Product
  Velocity v = 2;
  Time t = time;
  Real way = v*t;
  Time wrong;
equation
  wrong = way;
end Product;
model Integral
  Velocity v = 2;
  Real way(start = 0, fixed = true);
  Time wrong;
equation
  wrong = way;
  der(way) = v;
end Integral;
function fall
  input Length h;
  output Time t;
algorithm
  t := 2*h;
end fall;
model Body
  Length h = 2;
  Time t = fall(h);
end Body;
model Number
  Velocity v = 2;
  Real signal = v/v*sin(time);
  Length h;
equation
  h = signal;
end Number;
