//! exit: 1
//! code: MS2024 line 12
//! snapshot
//! mend: 12:   y = scalar(C*x);
model VectorIntoScalar "State space with one output"
  parameter Real A[2, 2] = [0, 1; -4, -0.4];
  parameter Real C[1, 2] = [1, 0];
  Real x[2](start = {1, 0}, each fixed = true);
  Real y;
equation
  der(x) = A*x;
  y = C*x;
end VectorIntoScalar;
