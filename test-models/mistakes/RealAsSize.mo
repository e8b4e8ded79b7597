//! exit: 1
//! code: MS2040 line 8
//! snapshot
//! mend: 7:   parameter Integer cells = 4;
// Wrong: the number of cells is Real.
model RealAsSize
  parameter Real cells = 4;
  Real T[cells](each start = 300, each fixed = true);
equation
  for i in 1:cells loop
    der(T[i]) = 290 - T[i];
  end for;
end RealAsSize;
