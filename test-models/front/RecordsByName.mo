//! run: flatten --class RecordsByName
//! stdout: r1 = R1(r2.x, r2.y);
//! stdout: constant Real c.a = 1.0;
//! run: flatten --class OuterSizes
//! stdout: Real part.y = o.v[1] + o.v[2];
//! run: check --class RecordsByName
// Fields of records of different classes are matched by name. A function whose output is declared with values of its fields
// needs no algorithm. What is outer has the sizes of the inner one.
record R1
  Real x;
  Real y;
end R1;
record R2
  Real y;
  Real x;
end R2;
record C
  Real a;
  Real b;
end C;
function make
  input Real a;
  input Real b;
  output C c(a = a, b = b);
end make;
model RecordsByName
  R1 r1;
  R2 r2(x = time, y = 2*time);
  constant C c = make(1, 2);
equation
  r1 = r2;
end RecordsByName;
partial record Base
  constant Integer n;
  parameter Real v[n];
end Base;
record Two
  extends Base(n = 2, v = {1, 2});
end Two;
model Part
  outer Base o;
  Real y = sum(o.v);
end Part;
model OuterSizes
  Part part;
  inner Two o;
end OuterSizes;
