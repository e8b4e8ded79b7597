//! run: check --class CyclicConstants
//! exit: 1
//! code: MS2028 line 7
// Wrong: two constants depend on each other.
model CyclicConstants
  constant Real a = 2*b;
  constant Real b = a - 1;
  Real y = a*time;
end CyclicConstants;
