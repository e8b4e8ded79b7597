//! exit: 1
//! code: MS0001 line 7
//! snapshot
//! mend: 7:   parameter Real k = 0.5;
// Wrong: a comma in a number.
model DecimalComma
  parameter Real k = 0,5;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end DecimalComma;
