//! run: simulate --format json
//! json: /completed == true
//! run: simulate --set x0=3
//! exit: 1
//! code: MS6010 line 12
// What an initial section asserts is asserted of the start alone.
model AssertedAtTheStart
  parameter Real x0 = 0.5;
  Real x(start = x0, fixed = true);
  Real y;
initial algorithm
  assert(x < 1, "starts too high");
equation
  der(x) = 1;
  y = x;
end AssertedAtTheStart;
