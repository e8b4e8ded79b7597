//! run: check --class CyclicParameters
//! exit: 1
//! code: MS3008 line 6
// Wrong: two parameters depend on each other.
model CyclicParameters
  parameter Real a = 2*b;
  parameter Real b = a - 1;
  Real y = a*time;
end CyclicParameters;
