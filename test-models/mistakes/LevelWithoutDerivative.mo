//! exit: 1
//! code: MS6002
//! snapshot
//! mend: 15:   A*der(h2) = q12 - q2;
// Wrong: the balance of the second tank lacks `der`.
model LevelWithoutDerivative
  parameter Real A = 1;
  parameter Real k = 0.1;
  Real h1(start = 1, fixed = true);
  Real h2(start = 0, fixed = true);
  Real q12 = k*(h1 - h2);
  Real q2 = k*h2;
equation
  A*der(h1) = -q12;
  A*h2 = q12 - q2;
end LevelWithoutDerivative;
