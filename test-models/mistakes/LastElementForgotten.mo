//! exit: 1
//! code: MS4001 line 9
//! snapshot
//! mend: 11+:   q[n + 1] = 0;
// Wrong: the last flow has no equation.
model LastElementForgotten
  parameter Integer n = 4;
  Real T[n](each start = 300, each fixed = true);
  Real q[n + 1];
equation
  q[1] = 10;
  for i in 2:n loop
    q[i] = 3*(T[i - 1] - T[i]);
  end for;
  for i in 1:n loop
    der(T[i]) = q[i] - q[i + 1];
  end for;
end LastElementForgotten;
