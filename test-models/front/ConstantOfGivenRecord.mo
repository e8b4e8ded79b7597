//! run: flatten --class ConstantOfGivenRecord
//! stdout: Real[r.n] x;
//! run: simulate --class ConstantOfGivenRecord --stop-time 1 --format json
//! approx: /final/y == 4 +- 1e-6
// A function that is given a record uses the record's own constants, not those of the default.
record Base
  constant Integer n = 4;
  Real v = 1;
end Base;
record Special
  extends Base(n = 6);
end Special;
function count
  input Base r = Special();
  output Real y;
protected
  Real x[r.n];
algorithm
  x := fill(r.v, r.n);
  y := sum(x);
end count;
model ConstantOfGivenRecord
  Base r(v = time);
  Real y = count(r);
end ConstantOfGivenRecord;
