//! run: check --class ConditionalNotParameter
//! exit: 1
//! code: MS2017 line 7
// Wrong: the condition of a component depends on time.
model ConditionalNotParameter
  Real x = time;
  Real y = 1 if x > 2;
end ConditionalNotParameter;
