//! run: check
//! exit: 1
//! code: MS2025 line 8
//! snapshot
//! mend: 8:   Real u = 2*time;
// Wrong: what changes with time is not a parameter.
model ParameterOverTime
  parameter Real u = 2*time;
  Real x(start = 0, fixed = true);
equation
  der(x) = u - x;
end ParameterOverTime;
