//! exit: 1
//! code: MS2006 line 7
//! snapshot
//! mend: 7:   Real height(start = 2, fixed = true);
// Wrong: an attribute is misspelt.
model AttributeMisspelt
  Real height(strat = 2, fixed = true);
equation
  der(height) = -height;
end AttributeMisspelt;
