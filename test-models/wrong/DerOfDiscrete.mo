//! run: check --class DerOfDiscrete
//! exit: 1
//! code: MS2034 line 8
// Wrong: der of an Integer variable.
model DerOfDiscrete
  Integer n(start = 0);
equation
  der(n) = 1;
end DerOfDiscrete;
