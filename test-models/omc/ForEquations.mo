//! run: flatten --class ForEquations
// for-equations: nested, with steps, over a vector, over a parameter size; a heat equation on a grid.
model ForEquations
  parameter Integer nx = 3, ny = 2;
  parameter Real a = 0.1;
  final parameter Real h = 1/(nx + 1);
  constant Real weights[3] = {1, 2, 1};
  Real T[nx, ny](each start = 300);
  Real odd[4], sums[nx], w[3];
equation
  for i in 1:nx loop
    for j in 1:ny loop
      der(T[i, j]) = a*((if i > 1 then T[i - 1, j] else 300) - 2*T[i, j] + (if i < nx then T[i + 1, j] else 400))/h^2;
    end for;
    sums[i] = sum(T[i, j] for j in 1:ny);
  end for;
  for k in 1:2:7 loop
    odd[div(k + 1, 2)] = k*time;
  end for;
  for i in 3:-1:1 loop
    w[i] = weights[i]*sums[1];
  end for;
end ForEquations;
