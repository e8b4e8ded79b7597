//! run: simulate --class TablesInFunctions.Test --format json
//! json: /completed == true
//! approx: /final/y == 15.5 +- 1e-9
//! approx: /final/x == 0.5 +- 1e-8
//! approx: /final/s == 6 +- 1e-12
//! approx: /final/r == 120 +- 1e-12
// Arrays that stand in the text of functions: read with subscripts that change, lent to other functions, the same one
// twice in a call, in functions that call themselves, and changed only where they were copied.
package TablesInFunctions
  function dot
    input Real a[:];
    input Real b[size(a, 1)];
    output Real s = 0;
  algorithm
    for i in 1:size(a, 1) loop
      s := s + a[i]*b[i];
    end for;
  end dot;

  function spoil "Changes its own copy only"
    input Real a[:];
    output Real s;
  protected
    Real own[size(a, 1)] = a;
  algorithm
    own[1] := own[1] + 10;
    s := sum(own) - 10;
  end spoil;

  function table
    input Real x;
    input Integer column;
    output Real y;
  protected
    constant Real m[3, 2] = {{1, 2}, {3, 4}, {5, 6}};
    constant Real v[3] = {1, 2, 3};
    Real o[4];
  algorithm
    o[1] := x;
    o[2] := o[1]*x;
    o[4] := o[2] + o[3];
    y := 0;
    for i in 1:3 loop
      y := y + m[i, column]*o[4];
    end for;
    y := y + dot(v, v) - 14 + dot({1, 2, 3}, v) - 14;
  end table;

  function factorial
    input Integer n;
    output Real f;
  protected
    constant Real small[2] = {1, 1};
  algorithm
    f := if n < 2 then small[n + 1] else n*factorial(n - 1);
  end factorial;

  model Test
    Real y = table(1 + time, 2) + x - 12;
    Real x(start = 1);
    Real s = spoil({1, 2, 3 + 0*time}) + spoil({1, 2, 3}) - spoil({1, 2, 3});
    Real r = factorial(integer(5 + 0*time));
  equation
    // 9 x^2 = 2.25, and the derivative goes through the table.
    table(x, 1) = 2.25;
    annotation(experiment(StopTime = 0.5));
  end Test;
end TablesInFunctions;
