//! run: check
//! exit: 1
//! code: MS2042
//! stderr: Did you mean `sqrt`?
model MisspeltFunction
  Real x = sqrtt(time);
end MisspeltFunction;
