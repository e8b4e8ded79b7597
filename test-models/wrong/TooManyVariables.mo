//! exit: 1
//! code: MS3001 line 7
//! snapshot
// Wrong: the sizes of an array are those of a file, not of a model.
model TooManyVariables
  parameter Integer n = 20000;
  Real field[n, n];
equation
  field = fill(time, n, n);
end TooManyVariables;
