//! code: MS6008 line 10
//! snapshot
//! mend: 6:   Real distance(start = 0.1, fixed = true);
// Wrong: at the start an equation divides by zero.
model DivisionAtFirstInstant
  Real distance(start = 0, fixed = true);
  Real force;
equation
  der(distance) = 1;
  force = 5/distance;
end DivisionAtFirstInstant;
