//! exit: 1
//! code: MS0005 line 7
//! snapshot
//! mend: 7:   parameter Real stiffness[2, 2] = [4, -2; -2, 3];
// Wrong: a matrix with rows in braces.
model RowsInBraces
  parameter Real stiffness[2, 2] = {4, -2; -2, 3};
  Real force[2] = stiffness*{time, 1};
end RowsInBraces;
