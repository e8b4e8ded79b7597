//! run: check --class DuplicateElementsConflict
//! exit: 1
//! code: MS2005 line 6
// Wrong: the same name is inherited twice with different declarations.
model A
  parameter Real k = 1;
end A;
model B
  parameter Real k = 2;
end B;
model DuplicateElementsConflict
  extends A;
  extends B;
  Real y = k*time;
end DuplicateElementsConflict;
