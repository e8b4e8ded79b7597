//! run: check --class AssignToInput
//! exit: 1
//! code: MS2035 line 9
// Wrong: a function assigns to its input.
function twice
  input Real u;
  output Real y;
algorithm
  u := 2*u;
  y := u;
end twice;
model AssignToInput
  Real y = twice(time);
end AssignToInput;
