//! run: flatten
//! stdout: parameter Real x[2](start = 3.0);
//! stdout: parameter Real y(start = 4.0);
//! stdout: final parameter Integer n(start = 2) = 2;
//! run: simulate --stop-time 1 --format json
//! approx: /final/z == 9 +- 1e-12
// A parameter without a value takes its start value. A flat model is printed as it was written; where the value decides the
// form of the model, it is told.
model StartsAsWritten
  type Three = Real(start = 3);
  parameter Three x[n];
  parameter Real y(start = 4);
  parameter Integer n(start = 2);
  Real z = x[1] + y + n;
end StartsAsWritten;
