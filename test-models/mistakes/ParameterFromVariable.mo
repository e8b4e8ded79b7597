//! exit: 1
//! code: MS2025 line 7
//! snapshot
//! mend: 7:   Real R = R20*(1 + 0.004*(T - 293));
model ParameterFromVariable "Resistance that depends on temperature"
  parameter Real R20 = 5;
  parameter Real R = R20*(1 + 0.004*(T - 293));
  Real T(start = 293, fixed = true);
  Real i;
equation
  i = 12/R;
  40*der(T) = R*i^2 - 0.5*(T - 293);
end ParameterFromVariable;
