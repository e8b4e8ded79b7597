//! run: flatten
//! stdout: parameter Real x[2](start = 3.0);
//! stdout: parameter Real y(start = 4.0) = 4.0;
//! stdout: parameter Real e[2](start = 5.0) = 5.0;
//! stdout: parameter Real r.f(start = 6.0);
//! stdout: final parameter Integer n(start = 2) = 2;
//! run: simulate --stop-time 1 --format json
//! approx: /final/z == 20 +- 1e-12
// A parameter without a value takes its start value, which a flat model shows as OpenModelica does: not for an array whose type gives
// it, nor for a field of a record, unless the value decides the form of the model.
model StartsAsWritten
  record R
    parameter Real f(start = 6);
  end R;
  type Three = Real(start = 3);
  parameter Three x[n];
  parameter Real y(start = 4);
  parameter Real e[2](each start = 5);
  parameter R r;
  parameter Integer n(start = 2);
  Real z = x[1] + y + n + e[2] + r.f;
end StartsAsWritten;
