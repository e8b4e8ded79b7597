//! exit: 1
//! code: MS0005 line 12
//! snapshot
//! mend: 12:   C*der(T) = P - k*(T - 20);
// Wrong: `der T`.
model DerivativeWithoutBrackets
  parameter Real C = 500;
  parameter Real P = 60;
  parameter Real k = 3;
  Real T(start = 20, fixed = true);
equation
  C*der T = P - k*(T - 20);
end DerivativeWithoutBrackets;
