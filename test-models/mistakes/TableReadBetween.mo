//! exit: 1
//! code: MS2026 line 10
//! snapshot
// Wrong: an element between two elements of a table.
model TableReadBetween
  parameter Real force[3] = {0, 4, 6};
  Real place = 1 + time;
  Real f;
equation
  f = force[place];
end TableReadBetween;
