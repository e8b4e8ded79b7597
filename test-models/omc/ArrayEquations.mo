//! run: flatten --class ArrayEquations
// Array equations and slices: whole vectors, rows, columns, strided slices, der of an array, end, matrix equation.
model ArrayEquations
  parameter Integer n = 4;
  parameter Real A[2, 2] = [-1, 0.5; 0, -2];
  Real x[2](start = {1, 2}, each fixed = true);
  Real v[n], w[n], M[2, 3], c[2];
  Real r[3];
equation
  der(x) = A*x;
  v[1:2] = x;
  v[3:end] = 2*x;
  w[1:2:n] = v[{1, 2}];
  w[{2, 4}] = -v[end - 1:end];
  M[1, :] = {1, 2, 3}*time;
  M[2, :] = M[1, end:-1:1];
  c = M[:, 2];
  [r[1], r[2], r[3]] = matrix(M[1:1, :] + M[2:2, :]);
end ArrayEquations;
