//! run: check
//! exit: 1
//! code: MS2042
//! stderr: did you mean `sqrt`?
model MisspeltFunction
  Real x = sqrtt(time);
end MisspeltFunction;
