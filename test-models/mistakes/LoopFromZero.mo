//! exit: 1
//! code: MS2026 line 11
//! snapshot
//! mend: 10:   for i in 1:4 loop
// Wrong: subscripts begin with one.
model LoopFromZero
  parameter Integer n = 4;
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 0:n - 1 loop
    der(x[i]) = -x[i];
  end for;
end LoopFromZero;
