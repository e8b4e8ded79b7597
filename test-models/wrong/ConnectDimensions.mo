//! run: check --class ConnectDimensions
//! exit: 1
//! code: MS3003 line 18
// Wrong: arrays of connectors of different size are connected.
connector Pin
  Real v;
  flow Real i;
end Pin;
model Many
  parameter Integer n = 2;
  Pin p[n];
equation
  p.v = zeros(n);
end Many;
model ConnectDimensions
  Many a, b(n = 3);
equation
  connect(a.p, b.p);
end ConnectDimensions;
