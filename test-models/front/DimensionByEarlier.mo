//! run: check
//! exit: 0
//! run: flatten
//! stdout: x[2] = A[2,1] * u[1] + A[2,2] * u[2];
// A dimension may be given by the ones before it.
model DimensionByEarlier
  function trace
    input Real M[:, size(M, 1)];
    output Real t;
  algorithm
    t := sum(M[i, i] for i in 1:size(M, 1));
  end trace;
  parameter Real A[:, size(A, 1)] = {{1, 2}, {3, 4}};
  input Real u[2];
  Real x[size(A, 2)];
  parameter Real t = trace(A);
equation
  x = A * u;
end DimensionByEarlier;
