//! run: flatten --class FunctionHigherOrder
// A function as argument of a function, partial application, recursion, a function inherited and changed by modification.
partial function Integrand
  input Real x;
  output Real y;
end Integrand;

function bell
  extends Integrand;
  input Real mu = 0, sigma = 1;
algorithm
  y := exp(-((x - mu)/sigma)^2/2);
end bell;

function simpson
  input Integrand f;
  input Real a, b;
  input Integer n = 4;
  output Real I = 0;
protected
  Real h = (b - a)/n;
algorithm
  for i in 0:n - 1 loop
    I := I + h/6*(f(a + i*h) + 4*f(a + (i + 0.5)*h) + f(a + (i + 1)*h));
  end for;
end simpson;

function fibonacci
  input Integer n;
  output Integer f;
algorithm
  f := if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2);
end fibonacci;

function wideBell = bell(sigma = 3);

model FunctionHigherOrder
  Real I1 = simpson(bell, 0, time);
  Real I2 = simpson(function bell(mu = 1, sigma = 2), 0, time, n = 8);
  Real w = wideBell(time);
  parameter Integer f7 = fibonacci(7);
  Real f = fibonacci(integer(time));
end FunctionHigherOrder;
