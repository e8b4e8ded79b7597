//! run: flatten
//! stdout: x = 2.0 * time "twice as fast";
//! stdout: y[2] = x "all of them";
// The description behind an equation stays with what becomes of it.
model EquationDescriptions
  Real x;
  Real y[2];
equation
  x = 2 * time "twice as fast";
  y = fill(x, 2) "all of them";
end EquationDescriptions;
