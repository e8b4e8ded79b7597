//! exit: 1
//! code: MS2021 line 11
//! snapshot
//! mend: 11:   der(x) = A*x + B[1, :]*u;
model InputMatrixTransposed "State space"
  parameter Real A[2, 2] = [0, 1; -2, -3];
  parameter Real B[1, 2] = [0, 1];
  Real x[2](each start = 0, each fixed = true);
  Real u = 1;
equation
  der(x) = A*x + B*u;
end InputMatrixTransposed;
