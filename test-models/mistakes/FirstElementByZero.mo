//! exit: 1
//! code: MS2026 line 9
//! snapshot
// Wrong: the elements are counted from 0, in two places.
model FirstElementByZero
  Real x[2](each start = 1, each fixed = true);
  Real total;
equation
  total = x[0] + x[1];
  der(x[0]) = -x[1];
  der(x[1]) = -total;
end FirstElementByZero;
