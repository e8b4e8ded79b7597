//! run: check --class WrongArguments
//! exit: 1
//! code: MS2022 line 12
// Wrong: too many arguments in a function call.
function area
  input Real r;
  output Real A;
algorithm
  A := 3.14*r^2;
end area;
model WrongArguments
  Real y = area(time, 2);
end WrongArguments;
