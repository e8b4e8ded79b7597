//! run: simulate --input Driven.csv
//! exit: 1
//! code: MS6001
// A counter beside inputs from a table: refused, because runs with tables go mode by mode.
model DrivenCounter
  input Real u;
  input Integer n;
  input Boolean on;
  discrete Integer count(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = u;
  when on then
    count = pre(count) + n;
  end when;
end DrivenCounter;
