//! run: flatten --class Asserts
// assert in equations, algorithms and functions, with levels, with String formatting, inside if and for.
function checkedLog
  input Real u;
  output Real y;
algorithm
  assert(u > 0, "argument must be positive, is " + String(u));
  y := log(u);
end checkedLog;

model Asserts
  parameter Integer n(min = 1) = 2;
  parameter Boolean strict = true;
  Real p[n] = {k + sin(time) for k in 1:n};
  Real y = checkedLog(p[1] + 1);
equation
  assert(n > 0, "n must be positive");
  for k in 1:n loop
    assert(p[k] > -1, "p[" + String(k) + "] = " + String(p[k], format = ".3f") + " is too low");
  end for;
  if strict then
    assert(y < 10, "y is high", level = AssertionLevel.warning);
  end if;
algorithm
  assert(time < 100, "too long", AssertionLevel.error);
end Asserts;
