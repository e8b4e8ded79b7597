//! run: check --class PreOfContinuous
//! exit: 1
//! code: MS2034 line 7
// Wrong: pre of a continuous variable outside of when.
model PreOfContinuous
  Real x = time;
  Real y = pre(x);
end PreOfContinuous;
