//! run: simulate --class PartialDerivatives.Test --format json
//! json: /completed == true
//! approx: /final/dx == 12 +- 1e-12
//! approx: /final/dxy == 6 +- 1e-12
//! approx: /final/slope == 6 +- 1e-12
// `f` is x²·y·3, so f_x = 6xy, f_xy = 6x; at x = 1 and y = 2 they are 12 and 6, and f_x changes by 6 as `y` does.
package PartialDerivatives
  function f
    input Real x;
    input Real y;
    output Real z;
  algorithm
    z := 0;
    for i in 1:3 loop
      z := z + x^2*y;
    end for;
  end f;

  function f_x = der(f, x);
  function f_xy = der(f, x, y);

  model Test
    Real y = 1 + time;
    Real dx = f_x(1, y);
    Real dxy = f_xy(1, y);
    Real slope = der(dx);
    annotation(experiment(StopTime = 1));
  end Test;
end PartialDerivatives;
