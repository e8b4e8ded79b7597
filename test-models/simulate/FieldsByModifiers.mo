//! run: simulate --class FieldsByModifiers.Test --format json
//! json: /completed == true
//! approx: /final/c.re == 3 +- 1e-12
//! approx: /final/c.im == 5 +- 1e-12
//! approx: /final/d.im == 0 +- 1e-12
// The fields of a result may be given by modifiers alone.
package FieldsByModifiers
  record Pair
    Real re;
    Real im;
  end Pair;
  function make
    input Real a;
    input Real b = 0;
    output Pair p(re = a, im = b);
  algorithm
  end make;
  model Test
    Pair c;
    Pair d;
  equation
    c = make(3*time, 5*time);
    d = make(time);
    annotation(experiment(StopTime = 1));
  end Test;
end FieldsByModifiers;
