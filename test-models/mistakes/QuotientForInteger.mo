//! exit: 1
//! code: MS2020 line 8
//! snapshot
//! mend: 8:   parameter Integer half = div(cells, 2);
// Wrong: a quotient is no integer.
model QuotientForInteger
  parameter Integer cells = 10;
  parameter Integer half = cells/2;
  Real x[half];
equation
  for i in 1:half loop
    x[i] = i*time;
  end for;
end QuotientForInteger;
