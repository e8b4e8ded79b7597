//! run: check --class VariabilityDiscrete
//! exit: 1
//! code: MS2020 line 7
// Wrong: an Integer is bound to a continuous Real expression.
model VariabilityDiscrete
  Real x = time;
  Integer n = x;
end VariabilityDiscrete;
