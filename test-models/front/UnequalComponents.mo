//! run: flatten --class UnequalComponents
//! stdout: Real cell[3].x[3](start = 1.0, fixed = true);
//! stdout: Real total = cell[1].s + cell[2].s + cell[3].s;
//! stdout: Real some = cell[2].x[2] + cell[3].x[3];
//! stdout: Real last = cell[3].x[3];
//! stdout: cell[3].p.v = source[3].p.v;
//! stdout: cell[2].y = y[1];
//! run: check --class UnequalComponents
//! run: flatten --class UnequalRecords
//! stdout: parameter Real pump[2].c.v[3] = many.v[3];
//! stdout: Real again[1].f = again[1].c.v[2] * time;
//! stdout: Real again[2].f = again[2].c.v[3] * time;
//! run: flatten --class Nested
//! stdout: Real rack[2].cell[1].x[3](start = 1.0, fixed = true);
//! stdout: Real rack[1].cell[2].x[1](start = 1.0, fixed = true);
//! run: flatten --class OutOfBounds
//! exit: 1
//! code: MS2026 line 86
// The elements of an array of components may differ in the sizes and conditions of what they contain. References to them
// mean the same as to other arrays: all elements, some of them, one in a loop.
connector Pin
  Real v;
  flow Real i;
end Pin;
connector RealOutput = output Real;
model Cell
  parameter Integer n = 1;
  parameter Real g[n] = fill(1.0, n);
  parameter Boolean sensed = false;
  Pin p;
  Real x[n](each start = 1, each fixed = true);
  RealOutput y if sensed;
  RealOutput s;
equation
  der(x) = -g.*x;
  p.i = sum(x);
  s = sum(x);
  if sensed then
    connect(s, y);
  end if;
end Cell;
model Source
  Pin p;
equation
  p.v = 1;
end Source;
model UnequalComponents
  parameter Integer n = 3;
  Cell cell[n](n = {1, 2, 3}, sensed = {false, true, true});
  Source source[n];
  Real total = sum(cell.s);
  Real some = sum(cell[k].x[k] for k in 2:n);
  Real last = cell[end].x[end];
  RealOutput y[2];
equation
  for k in 1:n loop
    connect(cell[k].p, source[k].p);
  end for;
  connect(cell[2:3].y, y);
end UnequalComponents;
record Curve
  parameter Real v[:];
end Curve;
model Pump
  parameter Curve c;
  Real f = c.v[size(c.v, 1)]*time;
end Pump;
model UnequalRecords
  parameter Curve few(v = {1, 2});
  parameter Curve many(v = {1, 2, 3});
  parameter Curve both[2] = {few, many};
  Pump pump[2](c = {few, many});
  Pump again[2](c = both);
end UnequalRecords;
model Rack
  parameter Integer m = 1;
  Cell cell[2](n = {m, 1});
end Rack;
model Nested
  Rack rack[2](m = {2, 3});
end Nested;
model OutOfBounds
  Cell cell[2](n = {1, 2});
  Real x;
equation
  x = cell[3].s;
end OutOfBounds;
