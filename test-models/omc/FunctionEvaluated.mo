//! run: flatten --class FunctionEvaluated
// Functions with loops called with constants: which calls are evaluated, for parameters, constants, sizes and bindings.
function factorial
  input Integer n;
  output Integer f;
algorithm
  f := 1;
  for k in 2:n loop
    f := f*k;
  end for;
end factorial;

function horner
  input Real c[:];
  input Real x;
  output Real y;
algorithm
  y := c[end];
  for k in size(c, 1) - 1:-1:1 loop
    y := y*x + c[k];
  end for;
end horner;

function isPrime
  input Integer n;
  output Boolean b;
protected
  Integer d = 2;
algorithm
  b := n > 1;
  while d*d <= n and b loop
    if mod(n, d) == 0 then
      b := false;
      break;
    end if;
    d := d + 1;
  end while;
end isPrime;

model FunctionEvaluated
  constant Integer f5 = factorial(5);
  parameter Integer n = factorial(3) "decides a size";
  parameter Integer other = factorial(4) "decides nothing";
  constant Real value = horner({1, 2, 3}, 2);
  parameter Boolean prime = isPrime(97);
  Real x[n];
  Real y = f5*time + value;
  Real z = horner({1, 2, 3}, time);
equation
  for i in 1:n loop
    x[i] = factorial(i)*time;
  end for;
  assert(prime, "97 is prime");
end FunctionEvaluated;
