//! run: flatten --class SizesFromRecords
//! stdout: Real r.a[5];
//! stdout: Real r.b[2];
//! stdout: parameter Real outer_.inside[1].table[2,3] = given.table[2,3];
//! stdout: parameter Real pumps[2].curve[3] = 2.0;
//! run: flatten --class Ragged
//! stdout: Real lines[2].x[2];
// The sizes of fields follow the value of the whole record, however deep; elements of an array of components may differ.
record R
  Real a[:] = {1, 2, 3};
  Real b[:];
end R;
record Table
  parameter Real table[:, :];
end Table;
record Tables
  parameter Table inside[:];
end Tables;
record Pump
  parameter Real curve[:] = {0, 0};
end Pump;
model SizesFromRecords
  R r = R(ones(5)*time, {1, 2});
  parameter Table given(table = {{1, 2, 3}, {4, 5, 6}});
  parameter Tables outer_(inside = {given});
  parameter Pump pumps[2](curve = {{0, 1, 2} for i in 1:2});
end SizesFromRecords;
model Line
  parameter Integer n = 1; Real x[n] = fill(time, n);
end Line;
model Ragged
  Line lines[2](n = {1, 2});
end Ragged;
