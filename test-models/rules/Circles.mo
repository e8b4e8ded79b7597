//! run: check --class Values
//! exit: 1
//! code: MS2028 line 12
//! run: check --class Sizes
//! exit: 1
//! code: MS2028 line 17
//! run: check --class Right
// A value that needs itself is told where the circle closes.
model Values
  constant Real first = second;
  constant Real second = third;
  constant Real third = first;
  Real y = first*time;
end Values;
model Sizes
  parameter Integer n = size(x, 2);
  Real x[n, n + 2] = {{time, 2, 3}, {4, 5, 6}};
end Sizes;
model Right
  constant Real first = second;
  constant Real second = 2;
  Real y = first*time;
end Right;
