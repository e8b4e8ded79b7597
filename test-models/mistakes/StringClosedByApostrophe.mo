//! exit: 1
//! code: MS0006 line 7
//! snapshot
//! mend: 7:   parameter Real k(unit = "1/s") = 0.5;
// Wrong: the string is closed by the other quote.
model StringClosedByApostrophe
  parameter Real k(unit = "1/s') = 0.5;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end StringClosedByApostrophe;
