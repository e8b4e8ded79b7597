//! run: check --class TypeMismatchEquation
//! exit: 1
//! code: MS2020 line 9
// Wrong: a Boolean is set equal to a Real.
model TypeMismatchEquation
  Real x;
  Boolean b = time > 1;
equation
  x = b;
end TypeMismatchEquation;
