//! exit: 1
//! code: MS2024 line 7
//! snapshot
//! mend: 7:   parameter Real weights[3] = {0.2, 0.5, 0.3};
// Wrong: an array gets too few elements.
model VectorTooShort
  parameter Real weights[3] = {0.2, 0.8};
  Real y = weights*{time, 2*time, 3*time};
end VectorTooShort;
