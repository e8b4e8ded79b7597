//! exit: 1
//! code: MS2001 line 7
//! snapshot
//! mend: 7:   parameter Real m(unit = "kg") = 2;
// Wrong: a text in single quotes.
model UnitInSingleQuotes
  parameter Real m(unit = 'kg') = 2;
  Real x(start = 1, fixed = true);
equation
  m*der(x) = -x;
end UnitInSingleQuotes;
