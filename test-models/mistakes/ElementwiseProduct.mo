//! exit: 1
//! code: MS2024 line 11
//! snapshot
//! mend: 11:   c = a .* b;
// Wrong: `*` of two vectors is one number.
model ElementwiseProduct
  parameter Real a[3] = {1, 2, 3};
  Real b[3] = {time, 2*time, 3*time};
  Real c[3];
equation
  c = a*b;
end ElementwiseProduct;
