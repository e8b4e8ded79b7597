//! run: flatten --class ValueOfWholeRecord
//! stdout: parameter Real byModifier.curve.v[3] = other.v[3];
//! stdout: parameter Real besideOwn.v[3] = other.v[3];
//! stdout: parameter Real fromOutside.curve.v[4] = 9.0;
//! stdout: parameter Real part.pump.curve.v[3] = pump.curve.v[3];
//! stdout: Real x = part.last * time;
//! stdout: output Real port[2].im = signals.c[2].im;
// The value of a whole record replaces what was given to its fields further inside or beside it, sizes included; what is
// given further outside wins. A connector that is a record with a causality keeps its value, too.
record Curve
  parameter Real v[:];
end Curve;
record Pump
  parameter Curve curve(v = {0, 0});
end Pump;
record Fixed
  parameter Curve curve = Curve({5, 6});
end Fixed;
model Part
  parameter Pump pump;
  parameter Integer n;
  parameter Real last = pump.curve.v[n];
end Part;
record C
  Real re;
  Real im;
end C;
connector COutput = output C;
model Signals
  C c[2] = {C(time, 1), C(2, time)};
end Signals;
model ValueOfWholeRecord
  parameter Curve other(v = {1, 2, 3});
  parameter Pump byModifier(curve = other);
  parameter Curve besideOwn(v = {0, 0}) = other;
  parameter Fixed fromOutside(curve(v = {6, 7, 8, 9}));
  parameter Pump pump(curve(v = {4, 5, 6}));
  Part part(pump = pump, n = size(pump.curve.v, 1));
  Real x = part.last*time;
  Signals signals;
  COutput port[2] = signals.c;
end ValueOfWholeRecord;
