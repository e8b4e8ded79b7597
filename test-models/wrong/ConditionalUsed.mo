//! run: check --class ConditionalUsed
//! exit: 1
//! code: MS2018 line 10
// Wrong: a conditional component that is absent is used in an equation.
model ConditionalUsed
  parameter Boolean has = false;
  Real x = time if has;
  Real y;
equation
  y = x + 1;
end ConditionalUsed;
