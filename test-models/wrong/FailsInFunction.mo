//! run: check --class FailedAssertion
//! exit: 1
//! code: MS2029 line 16
//! run: check --class Endless
//! exit: 1
//! code: MS2029
//! run: check --class NoValue
//! exit: 1
//! code: MS2029 line 34
// Wrong: the value of a constant cannot be computed. The statement that fails is told, and who asked for it; a constant without
// a value is told where it is declared.
function small
  input Integer n;
  output Integer m;
algorithm
  assert(n <= 2, "n is too large");
  m := n;
end small;
function endless
  output Integer m;
algorithm
  m := 0;
  while true loop
    m := m + 1 - 1;
  end while;
end endless;
model FailedAssertion
  constant Integer m = small(10);
end FailedAssertion;
model Endless
  constant Integer m = endless();
end Endless;
model NoValue
  constant Real k;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end NoValue;
