//! run: check --class RedeclareNonReplaceable
//! exit: 1
//! code: MS2010 line 16
// Wrong: a component that is not replaceable is redeclared.
model A
  Real y = time;
end A;
model B
  extends A;
  Real z = 2*time;
end B;
model Holder
  A part;
end Holder;
model RedeclareNonReplaceable
  Holder h(redeclare B part);
end RedeclareNonReplaceable;
