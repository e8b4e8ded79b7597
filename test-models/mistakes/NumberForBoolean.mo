//! exit: 1
//! code: MS2020 line 7
//! snapshot
//! mend: 7:   parameter Boolean heated = true;
// Wrong: a Boolean is given a number.
model NumberForBoolean
  parameter Boolean heated = 1;
  Real q = if heated then 5 else 0;
end NumberForBoolean;
