//! run: check --class UnknownModifier
//! exit: 1
//! code: MS2006 line 10
// Wrong: the modification names an element the component does not have.
model Mass
  parameter Real m = 1;
  Real v = m*time;
end Mass;
model UnknownModifier
  Mass a(weight = 3);
end UnknownModifier;
