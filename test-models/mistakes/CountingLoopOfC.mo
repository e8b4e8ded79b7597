//! exit: 1
//! code: MS0022 line 10
//! snapshot
//! mend: 10:   for k in 2:n - 1 loop
// Wrong: the head of a loop as C writes it.
model CountingLoopOfC
  parameter Integer n = 5;
  Real u[n](each start = 1);
equation
  for (k = 2; k < n; k++) loop
    der(u[k]) = u[k - 1] - 2*u[k] + u[k + 1];
  end for;
  u[1] = 0;
  u[n] = sin(time);
end CountingLoopOfC;
