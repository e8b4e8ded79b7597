//! run: check --class VariabilityParameter
//! exit: 1
//! code: MS2025 line 6
// Wrong: a parameter is bound to a time-varying expression.
model VariabilityParameter
  parameter Real p = 2*time;
  Real y = p;
end VariabilityParameter;
