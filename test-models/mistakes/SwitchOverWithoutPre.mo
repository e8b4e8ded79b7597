//! exit: 1
//! code: MS4019 line 11
//! snapshot
//! mend: 11:     left = not pre(left);
// Wrong: a flag that should change its value is set to the contrary of its new value.
model SwitchOverWithoutPre
  Boolean left(start = true, fixed = true);
  Real v = if left then -1 else 1;
equation
  when sample(2, 2) then
    left = not left;
  end when;
end SwitchOverWithoutPre;
