//! run: simulate --class ArraysOfUnknownSize.Test --format json
//! json: /completed == true
//! approx: /final/y == 55.5 +- 1e-9
//! approx: /final/p == 21 +- 1e-12
// Arrays whose sizes depend on what the function is given, comprehensions, slices, and a parameter that is computed.
package ArraysOfUnknownSize
  function weighted
    input Real x[:];
    output Real y;
  protected
    Real squares[:] = {v^2 for v in x};
    Real partial_sums[size(x, 1)];
  algorithm
    partial_sums[1] := squares[1];
    for i in 2:size(x, 1) loop
      partial_sums[i] := partial_sums[i - 1] + squares[i];
    end for;
    y := partial_sums[end] + sum(x[2:end])/2;
  end weighted;

  function triangle
    input Integer n;
    output Integer s = 0;
  algorithm
    for i in n:-1:1 loop
      s := s + i;
    end for;
  end triangle;

  model Test
    parameter Integer p = triangle(6);
    Real y(start = 0, fixed = true);
    // 1 + 4 + 9 + 16 + 25 = 55, and half of 2 + 3 + 4 + 5 = 14 is added.
  equation
    der(y) = weighted({1, 2, 3, 4, 5}) - 6.5;
    annotation(experiment(StopTime = 1));
  end Test;
end ArraysOfUnknownSize;
