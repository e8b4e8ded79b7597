//! run: check --class FromFile
//! exit: 1
//! code: MS2029 line 23
//! run: check --class Given
//! run: check --class Used
//! exit: 1
//! code: MS2040 line 42
// A branch whose size is not known does not take the size of the other one; and what has an unknown size is not taken for empty.
function read
  input Integer n;
  output Real y[n];
  external "C" read(n, y);
end read;
function sizeInFile
  input Integer k;
  output Integer n;
  external "C" n = sizeInFile(k);
end sizeInFile;
block Gain
  parameter Boolean fromFile = false;
  parameter Real K[:] = {1, 2};
  final parameter Integer n = size(used, 1);
  input Real u[n];
  output Real y;
protected
  parameter Integer m = if fromFile then sizeInFile(1) else size(K, 1);
  parameter Real used[:] = if fromFile then read(m) else K;
equation
  y = used*u;
end Gain;
model FromFile Gain gain(fromFile = true);
equation
  gain.u = fill(time, gain.n);
end FromFile;
model Given Gain gain;
equation
  gain.u = fill(time, gain.n);
end Given;
model Used
  // A row that is only kept says nothing wrong.
  parameter Real kept[:] = read(sizeInFile(2));
  parameter Real summed[:] = read(sizeInFile(3));
  Real s = sum(summed);
end Used;
