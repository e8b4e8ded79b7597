//! run: simulate --class WrongDerivative.Test --format json
//! json: /completed == true
//! code: MS2049
//! approx: /final/slope == 0.5403023058681398 +- 1e-9
// The sign of the derivative is wrong, which the first difference quotient tells: it is named, and not used.
package WrongDerivative
  function f
    input Real x;
    output Real y;
  protected
    Real term = x;
    Integer n = 1;
  algorithm
    y := x;
    while abs(term) > 1e-17 loop
      term := -term*x*x/((n + 1)*(n + 2));
      n := n + 2;
      y := y + term;
    end while;
    annotation(derivative = f_der);
  end f;

  function f_der
    input Real x;
    input Real x_der;
    output Real y_der;
  algorithm
    y_der := -cos(x)*x_der;
  end f_der;

  model Test
    Real y = f(time);
    Real slope = der(y);
    annotation(experiment(StopTime = 1));
  end Test;
end WrongDerivative;
