//! run: simulate --class DerivativeByAnnotation.Test --format json
//! json: /completed == true
//! approx: /final/root == 1.4142135623730951 +- 1e-9
//! approx: /final/slope == 0.35355339059327373 +- 1e-9
//! approx: /final/curvature == -0.08838834764831845 +- 1e-8
//! approx: /final/fixed == 1.0606601717798212 +- 1e-9
//! approx: /final/both == 2.4748737341529163 +- 1e-9
// A bisection has no derivative that its steps would tell: all they compute are middles of intervals. The author gives it,
// of first and second order, and for a factor that does not change; where the factor moves, the other annotation counts.
package DerivativeByAnnotation
  function bisect "The root of 2*time = x^2"
    input Real a;
    output Real x;
  protected
    Real low = 0;
    Real high = 4;
  algorithm
    while high - low > 1e-15*high and low < high - 1e-15 loop
      x := (low + high)/2;
      if x*x < a then
        low := x;
      else
        high := x;
      end if;
    end while;
    x := (low + high)/2;
    annotation(derivative = bisect_der);
  end bisect;

  function bisect_der
    input Real a;
    input Real a_der;
    output Real x_der;
  algorithm
    x_der := a_der/(2*bisect(a));
    annotation(derivative(order = 2) = bisect_der2);
  end bisect_der;

  function bisect_der2
    input Real a;
    input Real a_der;
    input Real a_der2;
    output Real x_der2;
  protected
    Real x = bisect(a);
  algorithm
    x_der2 := a_der2/(2*x) - a_der^2/(4*x^3);
  end bisect_der2;

  function scaled
    input Real a;
    input Real k;
    output Real y;
  algorithm
    y := k*bisect(a);
    annotation(
      derivative(zeroDerivative = k) = scaled_der,
      derivative = scaled_general);
  end scaled;

  function scaled_der
    input Real a;
    input Real k;
    input Real a_der;
    output Real y_der;
  algorithm
    y_der := k*bisect_der(a, a_der);
  end scaled_der;

  function scaled_general
    input Real a;
    input Real k;
    input Real a_der;
    input Real k_der;
    output Real y_der;
  algorithm
    y_der := k*bisect_der(a, a_der) + k_der*bisect(a);
  end scaled_general;

  model Test
    Real a = 1 + time;
    Real root = bisect(a);
    Real slope = der(root);
    Real curvature = der(slope);
    Real one = scaled(a, 3);
    Real fixed = der(one);
    Real two = scaled(a, 2 + time);
    Real both = der(two);
    annotation(experiment(StopTime = 1));
  end Test;
end DerivativeByAnnotation;
