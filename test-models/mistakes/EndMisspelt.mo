//! exit: 1
//! code: MS0022 line 10
//! snapshot
//! mend: 10: end EndMisspelt;
// Wrong: `edn` for `end`.
model EndMisspelt
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
edn EndMisspelt;
