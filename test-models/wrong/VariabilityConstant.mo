//! run: check --class VariabilityConstant
//! exit: 1
//! code: MS2025 line 7
// Wrong: a constant is bound to a parameter.
model VariabilityConstant
  parameter Real p = 2;
  constant Real c = 3*p;
  Real y = c*time;
end VariabilityConstant;
