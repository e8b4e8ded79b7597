//! run: check --class WrongMatrixProduct
//! exit: 1
//! code: MS2021 line 10
// Wrong: inner dimensions of a matrix product do not agree.
model WrongMatrixProduct
  parameter Real A[2, 3] = ones(2, 3);
  Real x[2] = {time, 1};
  Real y[2];
equation
  y = A*x;
end WrongMatrixProduct;
