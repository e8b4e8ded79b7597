//! run: check --class SizeOfFieldInResult.Model
//! run: simulate --class SizeOfFieldInResult.Model --stop-time 2 --format json
//! approx: /final/slope == 12 +- 1e-9
// The size of a record in a function's result follows from the size of a field of the argument, which is a variable.
package SizeOfFieldInResult
  record Polynomial
    Real c[:];
  end Polynomial;
  function derivative
    input Polynomial p;
    output Polynomial d(c = fill(0.0, max(0, size(p.c, 1) - 1)));
  algorithm
    for i in 1:size(p.c, 1) - 1 loop
      d.c[i] := p.c[i]*(size(p.c, 1) - i);
    end for;
  end derivative;
  function value
    input Polynomial p;
    input Real x;
    output Real y = 0;
  algorithm
    for i in 1:size(p.c, 1) loop
      y := y*x + p.c[i];
    end for;
  end value;
  model Model
    parameter Real c3[4] = {1, 0, 0, 0};
    Polynomial p = Polynomial(c3);
    Polynomial d = derivative(p);
    Real slope = value(d, time);
  end Model;
end SizeOfFieldInResult;
