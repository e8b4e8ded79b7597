//! run: flatten --class ArrayConstructors
// Array constructors: ranges, comprehensions, concatenation, fill and friends, reductions, empty arrays.
model ArrayConstructors
  parameter Integer n = 3;
  parameter Real r1[:] = 0:0.5:2;
  parameter Integer r2[:] = n:-1:1;
  parameter Real M[n, n] = identity(n) + ones(n, n) - diagonal({1, 2, 3});
  parameter Real S[2, n] = [transpose([r1[1:n]]); 4, 5, 6];
  parameter Real C[2, 2] = {{i*10 + j for j in 1:2} for i in 1:2};
  parameter Real D[:] = cat(1, {1, 2}, zeros(2), linspace(0, 1, 3));
  parameter Real empty[0] = fill(1.0, 0);
  parameter Real K[:, :] = [1, 2; 3, 4; 5, 6];
  parameter Real total = sum(K) + product({1, 2, 3}) + max(r1) + min(K[:, 2]);
  parameter Real red = sum(i^2 for i in 1:n) + max(j for j in {3, 1, 2});
  Real y[n] = {time^i for i in 1:n};
  Real z = sum(y[i]*i for i in 1:n) + sum(empty);
  parameter Real V[3] = vector([1; 2; 3]);
  parameter Integer dims[2] = size(K);
  parameter Integer nd = ndims(K);
end ArrayConstructors;
