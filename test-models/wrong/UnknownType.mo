//! run: check --class UnknownType
//! exit: 1
//! code: MS2002 line 6
// Wrong: the type of a component does not exist.
model UnknownType
  Resistor r(R = 5);
  Real x = time;
end UnknownType;
