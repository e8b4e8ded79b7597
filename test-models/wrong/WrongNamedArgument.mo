//! run: check --class WrongNamedArgument
//! exit: 1
//! code: MS2022 line 12
// Wrong: a named argument the function does not have.
function area
  input Real r;
  output Real A;
algorithm
  A := 3.14*r^2;
end area;
model WrongNamedArgument
  Real y = area(radius = time);
end WrongNamedArgument;
