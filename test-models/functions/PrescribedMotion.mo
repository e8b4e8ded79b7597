//! run: simulate --class PrescribedMotion.Test --format json
//! json: /completed == true
//! approx: /final/w == 3 +- 1e-9
//! approx: /final/force == 10 +- 1e-9
// Position, speed and acceleration are given as three numbers. The derivatives by annotation say which of them is the
// derivative of which: what the function's own text would give is zero.
package PrescribedMotion
  function position
    input Real q[3];
    input Real t;
    output Real s = q[1];
  algorithm
    annotation(derivative(noDerivative = q) = speed, InlineAfterIndexReduction = true);
  end position;

  function speed
    input Real q[3];
    input Real t;
    input Real dt;
    output Real v = q[2];
  algorithm
    annotation(derivative(order = 2, noDerivative = q) = acceleration, InlineAfterIndexReduction = true);
  end speed;

  function acceleration
    input Real q[3];
    input Real t;
    input Real dt;
    input Real ddt;
    output Real a = q[3];
  algorithm
  end acceleration;

  model Test
    Real q[3] = {1, 3, if time >= 0 then 5 else 4};
    Real s = position(q, time);
    Real w = der(s);
    Real force = 2*der(w);
  end Test;
end PrescribedMotion;
