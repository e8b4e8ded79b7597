//! exit: 1
//! code: MS2025 line 11
//! snapshot
//! mend: 11:   steps = integer(way/0.25);
// Wrong: an Integer follows a Real that changes continuously.
model IntegerFollowsReal
  Real way(start = 0, fixed = true);
  Integer steps;
equation
  der(way) = 0.3;
  steps = way/0.25;
end IntegerFollowsReal;
