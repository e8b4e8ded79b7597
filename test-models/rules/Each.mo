//! run: check --class Scalars
//! code: MS2030 line 16
//! code: MS2030 line 17
//! code: MS2030 line 19
//! run: check --class Arrays
//! run: check --class OneForAll
//! code: MS2030 line 31
//! code: MS2030 line 32
// `each` says something in arrays only, and a value for all elements of an array needs it (§7.2.5).
model Cell
  parameter Real k = 1;
  Real v[2];
  Real w(start = k);
end Cell;
model Scalars
  Cell a(each k = 2, v = {time, time}, w = time);
  Real x(each start = 1) = time;
  Cell b[2](each v = {time, time}, each w = time);
  extends Cell(each k = 3, v = {time, 2}, w = 1);
end Scalars;
model Arrays
  Cell a[2](each k = 2, v = {{time, 1}, {time, 2}}, each w(start = 3) = time);
  Real x[2](each start = 1) = {time, time};
  Real y[2](start = {1, 2}) = {time, time};
  Row r(cells(each k = 2));
end Arrays;
model Row
  Cell cells[2](each v = {time, time}, each w = time);
end Row;
model OneForAll
  Real x[2](start = 1) = {time, time};
  Cell c(v(min = -1) = {time, time}, w = 1);
end OneForAll;
