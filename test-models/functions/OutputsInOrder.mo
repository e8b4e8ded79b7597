//! run: simulate --class OutputsInOrder.Test --format json
//! json: /completed == true
//! approx: /final/x == 9 +- 1e-12
//! approx: /final/n == 2 +- 1e-12
//! approx: /final/b == 6 +- 1e-9
// The first output needs a protected variable for its size and value. It is still the first one of the results. A constant
// that a function of another language computes is read with subscripts.
package OutputsInOrder
  pure function power
    input Real base;
    input Real exponent;
    output Real y;
    external "C" y = pow(base, exponent);
  end power;

  constant Real table[2] = {power(2, 1), power(2, 2)};

  function squares
    input Real u[:];
    output Real y[n] = {u[i]^2 for i in 1:n};
    output Integer n1;
    output Integer n2;
  protected
    Integer n = size(u, 1);
  algorithm
    n1 := n - 1;
    n2 := n;
  end squares;

  function last
    input Real u[:];
    output Real y;
    output Integer n;
  protected
    Real all[size(u, 1)];
    Integer m;
  algorithm
    (all, n, m) := squares(u);
    y := all[m];
  end last;

  function both
    input Integer to;
    output Real y = sum(table[1:to]);
  algorithm
  end both;

  model Test
    Real x;
    Integer n;
    Real b = both(if time >= 0 then 2 else 1);
  equation
    (x, n) = last({1, 2, if time >= 0 then 3 else 4});
  end Test;
end OutputsInOrder;
