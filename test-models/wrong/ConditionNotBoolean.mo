//! run: check --class ConditionNotBoolean
//! exit: 1
//! code: MS2033 line 6
// Wrong: the condition of an if-expression is a Real.
model ConditionNotBoolean
  Real y = if time then 1 else 2;
end ConditionNotBoolean;
