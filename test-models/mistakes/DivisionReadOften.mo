//! run: check
//! exit: 1
//! code: MS2029 line 12
//! stdout: 1 error
// A value that cannot be computed is told once, however many parameters read it.
model DivisionReadOften
  record Table
    parameter Real x[:];
    final parameter Integer n = size(x, 1);
  end Table;
  parameter Integer zero = 0;
  constant Real scale = 1/0;
  constant Real half = scale/2;
  constant Table table(x = half*{1, 2, 3});
  constant Real last = table.x[3];
  Real y = last*time;
end DivisionReadOften;
