//! exit: 1
//! code: MS2042 line 7
//! snapshot
//! mend: 7:   Real y = log(1 + time);
// Wrong: the natural logarithm is called `log`.
model NaturalLogarithm
  Real y = ln(1 + time);
end NaturalLogarithm;
