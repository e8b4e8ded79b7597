//! exit: 1
//! code: MS2021 line 12
//! snapshot
//! mend: 12:   der(x) = A*x + B[:, 1]*u;
// Wrong: a matrix with one column is added to a vector.
model ColumnForVector
  parameter Real A[2, 2] = [0, 1; -4, -0.4];
  parameter Real B[2, 1] = [0; 1];
  Real x[2](each start = 0, each fixed = true);
  Real u = if time > 1 then 1 else 0;
equation
  der(x) = A*x + B*u;
end ColumnForVector;
