//! exit: 1
//! code: MS2001 line 7
//! snapshot
//! mend: 7:   parameter Boolean on = true;
// Wrong: `True` as in Python.
model TrueInCapitals
  parameter Boolean on = True;
  Real x(start = 1, fixed = true);
equation
  der(x) = if on then -x else 0;
end TrueInCapitals;
