//! run: check
//! run: simulate --stop-time 1 --format json
//! approx: /final/r[1,2] == 0.5 +- 1e-12
//! approx: /final/r[3,1] == 2.5 +- 1e-12
//! approx: /final/c[2,1] == 20 +- 1e-12
//! approx: /final/c[2,2] == 22 +- 1e-12
// An algorithm that assigns one row or one column in a loop, and all elements in another: `r[1, k]` and `r[i, k]` are not the
// same variables.
model RowsAndElements
  Real d[3,2] = fill(time, 3, 2);
  Real r[3,2];
  Real c[2,2];
algorithm
  for k in 1:2 loop
    r[1,k] := 0.5*d[1,k];
    for i in 2:3 loop
      r[i,k] := (i - 1)*d[1,k] + 0.5*d[i,k];
    end for;
  end for;
  for k in 1:2 loop
    c[k,1] := 10*k*time;
  end for;
  for k in 1:2 loop
    for i in 2:2 loop
      c[k,i] := c[k,1] + i*time;
    end for;
  end for;
end RowsAndElements;
