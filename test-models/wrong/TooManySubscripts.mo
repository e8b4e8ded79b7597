//! run: check --class TooManySubscripts
//! exit: 1
//! code: MS2027 line 7
// Wrong: two subscripts on a vector.
model TooManySubscripts
  Real v[3] = {1, 2, 3}*time;
  Real y = v[1, 2];
end TooManySubscripts;
