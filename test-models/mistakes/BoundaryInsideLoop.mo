//! exit: 1
//! code: MS4001 line 12
//! snapshot
//! mend: 15:
model BoundaryInsideLoop "Rod with a cooled end"
  parameter Integer n = 5;
  Real T[n](each start = 300);
  Real q[n + 1];
equation
  q[1] = 100;
  for i in 1:n loop
    q[i + 1] = 3*(T[i] - (if i < n then T[i + 1 - div(i, n)] else 290));
    der(T[i]) = q[i] - q[i + 1];
  end for;
  q[n + 1] = 5*(T[n] - 290);
end BoundaryInsideLoop;
