//! exit: 1
//! code: MS2001 line 11
//! snapshot
//! mend: 11:     der(x[i]) = -x[i];
// Wrong: the loop has another variable.
model OtherLoopVariable
  parameter Integer n = 3;
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    der(x[j]) = -x[j];
  end for;
end OtherLoopVariable;
