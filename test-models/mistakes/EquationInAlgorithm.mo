//! exit: 1
//! code: MS0008 line 10
//! snapshot
//! mend: 10:   power := speed^3;
// Wrong: an algorithm uses the sign of equations.
model EquationInAlgorithm
  Real speed = 3*time;
  Real power;
algorithm
  power = speed^3;
end EquationInAlgorithm;
