//! exit: 1
//! code: MS2021 line 11
//! snapshot
//! mend: 11:   K*x = F;
// Wrong: a vector is divided by a matrix.
model VectorByMatrix
  parameter Real K[2, 2] = [3, -1; -1, 2];
  Real F[2] = {1, time};
  Real x[2];
equation
  x = F/K;
end VectorByMatrix;
