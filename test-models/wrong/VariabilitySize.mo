//! run: check --class VariabilitySize
//! exit: 1
//! code: MS2025 line 7
// Wrong: an array size that depends on time.
model VariabilitySize
  Integer n = integer(time);
  Real v[n];
end VariabilitySize;
