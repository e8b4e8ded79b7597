//! exit: 1
//! code: MS2034 line 11
//! snapshot
//! mend: 11:   change = w - delay(w, 0.1);
// Wrong: pre is applied to a continuous variable between events.
model PreOfContinuous
  Real w(start = 0, fixed = true);
  Real change;
equation
  der(w) = 1;
  change = w - pre(w);
end PreOfContinuous;
