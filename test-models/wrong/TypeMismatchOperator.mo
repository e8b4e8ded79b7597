//! run: check --class TypeMismatchOperator
//! exit: 1
//! code: MS2021 line 7
// Wrong: a Real is added to a Boolean.
model TypeMismatchOperator
  Boolean on = time > 1;
  Real y = 2.0 + on;
end TypeMismatchOperator;
