//! exit: 1
//! code: MS2001 line 10
//! snapshot
//! mend: 10:   der(position) = velocity;
// Wrong: a variable is misspelt in an equation.
model VariableMisspelt
  Real position(start = 0, fixed = true);
  Real velocity(start = 1, fixed = true);
equation
  der(position) = velocty;
  der(velocity) = -position;
end VariableMisspelt;
