//! run: check --class TypeMismatchBinding
//! exit: 1
//! code: MS2020 line 6
// Wrong: a String is bound to a Real parameter.
model TypeMismatchBinding
  parameter Real R = "large";
  Real u = R*time;
end TypeMismatchBinding;
