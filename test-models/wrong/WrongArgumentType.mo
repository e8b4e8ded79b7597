//! run: check --class WrongArgumentType
//! exit: 1
//! code: MS2023 line 12
// Wrong: a String is passed to a Real input.
function area
  input Real r;
  output Real A;
algorithm
  A := 3.14*r^2;
end area;
model WrongArgumentType
  Real y = area("two");
end WrongArgumentType;
