//! exit: 1
//! code: MS2001 line 6
//! snapshot
//! mend: 6:   Real x = sin(time);
model TimeInCapitals "Oscillation"
  Real x = sin(Time);
end TimeInCapitals;
