//! exit: 1
//! code: MS6008 line 13
//! snapshot
//! mend: 12:     for k in 1:size(x, 1) - 1 loop
// Wrong: a function that computes a parameter reads one element too many.
model ParameterBeyondTable
  function longest
    input Real x[:];
    output Real d;
  algorithm
    d := 0;
    for k in 1:size(x, 1) loop
      d := max(d, x[k + 1] - x[k]);
    end for;
  end longest;
  parameter Real gap = longest({0, 1, 4});
  Real y = gap*time;
end ParameterBeyondTable;
