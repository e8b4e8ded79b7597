//! run: check --deny warnings
//! exit: 1
//! code: MS2046 line 8
//! snapshot
//! mend: 11+: initial equation der(x) = -3;
// Wrong: a parameter is to follow from initial equations, and there are none.
model ParameterLeftToNobody
  parameter Real k(fixed = false);
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end ParameterLeftToNobody;
