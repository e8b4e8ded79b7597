//! run: simulate --class InverseByAnnotation.Test --format json
//! json: /completed == true
//! approx: /final/x == 3 +- 1e-9
//! approx: /final/z == 2 +- 1e-9
//! approx: /final/w == 5 +- 1e-9
// `x` starts where Newton's method has no slope; the inverse needs none. The inverse of `cube` is wrong, and a start value
// at most: the equation decides.
package InverseByAnnotation
  function square
    input Real x;
    input Real k;
    output Real y;
  algorithm
    y := 0;
    for i in 1:10 loop
      y := y + k*x^2/10;
    end for;
    annotation(Inline = false, inverse(x = root(k, y)));
  end square;

  function root
    input Real k;
    input Real y;
    output Real x;
  algorithm
    x := sqrt(y/k);
    annotation(inverse(y = square(x, k)));
  end root;

  function cube
    input Real x;
    output Real y;
  algorithm
    y := x^3;
    annotation(inverse(x = noRoot(y)));
  end cube;

  function noRoot
    input Real y;
    output Real x;
  algorithm
    x := 1 + y;
  end noRoot;

  model Test
    Real x(start = 0);
    Real z(start = 1);
    Real w;
  equation
    square(x, 2) + 1 = 19;
    cube(z) = 7 + time;
    root(2, w) = sqrt(2.5);
    annotation(experiment(StopTime = 1));
  end Test;
end InverseByAnnotation;
