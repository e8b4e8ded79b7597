//! run: check --class ProtectedModification
//! exit: 1
//! code: MS2009 line 11
// Wrong: a protected parameter of a component is modified.
model Pump
  Real y = k*time;
protected
  parameter Real k = 1;
end Pump;
model ProtectedModification
  Pump p(k = 2);
end ProtectedModification;
