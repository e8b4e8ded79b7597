//! run: check --class ConnectSliceOfUnequal
//! run: flatten --class ConnectSliceOfUnequal
//! stdout: load[1].p.v = source.p[2].v;
//! stdout: load[3].p.v = source.p[4].v;
// Unequal components are connected to a slice of an array of connectors.
connector Port
  Real v;
  flow Real i;
end Port;
model Load
  parameter Integer n = 1;
  Real x[n];
  Port p;
equation
  x = fill(p.v, n);
  p.i = sum(x);
end Load;
model Source
  Port p[4];
equation
  for k in 1:4 loop
    p[k].v = k*time;
  end for;
end Source;
model ConnectSliceOfUnequal
  Load load[3](n = {1, 2, 3});
  Source source;
equation
  connect(load.p, source.p[2:4]);
end ConnectSliceOfUnequal;
