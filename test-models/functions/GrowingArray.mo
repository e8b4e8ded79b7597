//! run: simulate --class GrowingArray.Test --format json
//! json: /completed == true
//! approx: /final/n == 8 +- 1e-12
//! approx: /final/y == 36 +- 1e-9
// An array declared with `:` takes the size of what is assigned to it as a whole, whatever its first value was (Modelica
// 3.6 section 12.4.5).
package GrowingArray
  function doubled
    input Integer times;
    output Integer n;
    output Real total;
  protected
    Real a[:] = {1.0};
  algorithm
    for i in 1:times loop
      a := cat(1, a, a .+ size(a, 1));
    end for;
    n := size(a, 1);
    total := sum(a);
  end doubled;

  model Test
    Integer n;
    Real y;
  equation
    (n, y) = doubled(if time >= 0 then 3 else 2);
  end Test;
end GrowingArray;
