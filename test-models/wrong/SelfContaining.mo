//! run: check --class SelfContaining
//! exit: 1
//! code: MS2013 line 7
// Wrong: a model holds a component of its own type.
model SelfContaining
  Real x = time;
  SelfContaining inside;
end SelfContaining;
