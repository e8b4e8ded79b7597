//! run: check --class DuplicateModification
//! exit: 1
//! code: MS2007 line 10
// Wrong: the same parameter is modified twice in one modification.
model Mass
  parameter Real m = 1;
  Real v = m*time;
end Mass;
model DuplicateModification
  Mass a(m = 2, m = 3);
end DuplicateModification;
