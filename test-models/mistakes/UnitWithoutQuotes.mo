//! run: check
//! exit: 1
//! code: MS2001 line 8
//! snapshot
//! mend: 8:   parameter Real m(unit = "kg") = 2;
// Wrong: a unit is a text and needs quotes.
model UnitWithoutQuotes
  parameter Real m(unit = kg) = 2;
  Real v(start = 0, fixed = true);
equation
  m*der(v) = 1;
end UnitWithoutQuotes;
