//! exit: 1
//! code: MS0009 line 9
//! snapshot
//! mend: 9:   der(x) = -x;
// Wrong: a quote for the derivative.
model DerivativeByQuote
  Real x(start = 1, fixed = true);
equation
  x' = -x;
end DerivativeByQuote;
