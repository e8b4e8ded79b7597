//! run: check --class UnfitDerivative.Test
//! code: MS2049 line 10
//! code: MS2049 line 18
// The derivative lacks the derivative of `k`; the inverse gives no value for `x`.
package UnfitDerivative
  function f
    input Real x;
    input Real k;
    output Real y;
    annotation(derivative = f_der);
  algorithm
    y := k*sin(x);
  end f;

  function g
    input Real x;
    output Real y;
    annotation(
      inverse(x = count(y)));
  algorithm
    y := x^3;
  end g;

  function count
    input Real y;
    output Integer n;
  algorithm
    n := integer(y);
  end count;

  function f_der
    input Real x;
    input Real k;
    input Real x_der;
    output Real y_der;
  algorithm
    y_der := k*cos(x)*x_der;
  end f_der;

  model Test
    Real a = f(time, 2);
    Real b = g(time);
  end Test;
end UnfitDerivative;
