//! exit: 1
//! code: MS2024 line 10
//! snapshot
//! mend: 10:   y = a[1];
// Wrong: a scalar is set to an array.
model VectorForScalar
  parameter Real a[2] = {1, 2};
  Real y;
equation
  y = a;
end VectorForScalar;
