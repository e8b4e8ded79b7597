//! exit: 1
//! code: MS2021 line 11
//! snapshot
//! mend: 7:   parameter Real B[:, :] = [0; 1];
model RowForColumn "Two masses, one force"
  parameter Real A[2, 2] = [-1, 0.5; 0.5, -1];
  parameter Real B[:, :] = [0, 1];
  Real x[2](each start = 0, each fixed = true);
  Real u[1] = {sin(time)};
equation
  der(x) = A*x + B*u;
end RowForColumn;
