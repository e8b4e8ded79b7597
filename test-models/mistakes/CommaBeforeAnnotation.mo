//! run: check
//! exit: 1
//! code: MS0007 line 10
//! snapshot
//! mend: 10:   der(x) = -x annotation(Documentation(info = "decay"));
// Wrong: an annotation is not separated by a comma.
model CommaBeforeAnnotation
  Real x(start = 1, fixed = true);
equation
  der(x) = -x, annotation(Documentation(info = "decay"));
end CommaBeforeAnnotation;
