//! exit: 1
//! code: MS2026 line 13
//! snapshot
//! mend: 13:     v[k] = 3.2 + soc[k];
model CellByOtherIndex "Cells in series"
  parameter Integer n = 5;
  Real v[n];
  Real soc[n](each start = 1, each fixed = true);
  Real i = 2;
equation
  for k in 1:n loop
    der(soc[k]) = -i/3600;
    v[k] = 3.2 + soc[i];
  end for;
end CellByOtherIndex;
