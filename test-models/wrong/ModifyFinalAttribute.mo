//! run: check --class ModifyFinalAttribute
//! exit: 1
//! code: MS2008 line 7
// Wrong: a final attribute of a type is modified.
type Temperature = Real(final unit = "K");
model ModifyFinalAttribute
  Temperature T(unit = "degC") = 300 + time;
end ModifyFinalAttribute;
