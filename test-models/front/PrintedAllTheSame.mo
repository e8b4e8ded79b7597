//! run: flatten --class Zero
//! code: MS2034 line 17
//! stdout: Real x = 0.0;
//! run: check --class Zero
//! exit: 1
//! code: MS2034 line 17
//! run: flatten --class Different
//! code: MS3002 line 25
//! stdout: assert(false, "Connected constants/parameters must be equal");
//! run: check --class Different
//! exit: 1
//! code: MS3002 line 25
// Rules that a flat model can do without: it is printed with a warning, and a check insists on them. The derivative of a constant
// Integer is zero, and a connection of constants is an assertion.
model Zero
  parameter Integer n = 3;
  Real x = der(n);
end Zero;
connector Number
  constant Integer n = 1;
end Number;
model Different
  Number a, b(n = 2);
equation
  connect(a, b);
end Different;
