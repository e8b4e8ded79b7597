//! run: simulate --class FunctionAsArgument.Test --format json
//! json: /completed == true
//! approx: /final/area == 0.66666666666667 +- 1e-9
// A function that takes a function with some of its arguments given.
package FunctionAsArgument
  partial function Integrand
    input Real u;
    output Real y;
  end Integrand;

  function power
    input Real u;
    input Real exponent;
    input Real factor;
    output Real y;
  algorithm
    y := factor*u^exponent;
  end power;

  function simpson
    input Integrand f;
    input Real a;
    input Real b;
    input Integer n = 10;
    output Real area;
  protected
    Real h = (b - a)/n;
  algorithm
    area := 0;
    for i in 1:n loop
      area := area + h/6*(f(a + (i - 1)*h) + 4*f(a + (i - 0.5)*h) + f(a + i*h));
    end for;
  end simpson;

  model Test
    Real area = simpson(function power(exponent = 2, factor = 2), 0, 1 + 0*time);
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
    annotation(experiment(StopTime = 0.1));
  end Test;
end FunctionAsArgument;
