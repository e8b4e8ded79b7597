//! run: check --class EachMissing
//! exit: 1
//! code: MS2030 line 10
// Wrong: a scalar modification of an array of components without each.
model Cell
  parameter Real C = 1;
  Real y = C*time;
end Cell;
model EachMissing
  Cell c[3](C = 5);
end EachMissing;
