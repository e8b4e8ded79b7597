//! run: check --class DuplicateComponent
//! exit: 1
//! code: MS1002 line 7
// Wrong: two components of the same name.
model DuplicateComponent
  Real x = time;
  parameter Integer x = 3;
end DuplicateComponent;
