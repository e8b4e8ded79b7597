//! run: check --deny warnings
// `each` is given to an array whose elements differ in structure.
model EachOfUnequal
  model Cell
    parameter Integer n = 2;
    parameter Real k[n] = fill(1, n);
    parameter Boolean on = true;
    Real x[n](start = k, each fixed = true);
    Real total = sum(x) if on;
  equation
    der(x) = -k .* x;
  end Cell;
  Cell c[2](each n = 3, k = {{i + m for m in 1:3} for i in 1:2}, on = {true, false});
end EachOfUnequal;
