//! run: check
//! exit: 1
//! code: MS2024 line 8
//! snapshot
//! mend: 8:   parameter Real t[:, :] = [0, 1; 1, 2; 2, 4];
// Wrong: one row of a table has a number too many.
model RowTooLong
  parameter Real t[:, :] = [0, 1; 1, 2, 3; 2, 4];
  Real y = t[1, 2]*time;
end RowTooLong;
