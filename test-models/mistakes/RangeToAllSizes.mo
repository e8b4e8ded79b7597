//! run: check
//! exit: 1
//! code: MS2021 line 11
//! snapshot
//! mend: 11:   for i in 1:size(x, 1) loop
// Wrong: the loop ends at an array, the sizes of all dimensions.
model RangeToAllSizes
  parameter Real x[3] = {1, 2, 3};
  Real y[3];
equation
  for i in 1:size(x) loop
    y[i] = x[i]*time;
  end for;
end RangeToAllSizes;
