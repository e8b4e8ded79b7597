//! run: flatten --class ConnectionsByParameters
//! stdout: node[1].p.v = load[2].p.v;
//! stdout: node[2].p.v = load[1].p.v;
//! run: flatten --class WithoutSpare
//! stdout: u[1] = first.y;
// Parameters in the subscripts of a connection are structure; a connection to a component that does not exist vanishes
// before its subscripts are looked at.
connector Pin
  Real v;
  flow Real i;
end Pin;
model Node
  Pin p;
equation
  p.v = time;
end Node;
model Load
  Pin p;
equation
  p.i = 1;
end Load;
record Grid
  parameter Integer n = 2;
  parameter Integer to[n] = {2, 1};
end Grid;
model ConnectionsByParameters
  parameter Grid grid;
  Node node[grid.n];
  Load load[grid.n];
equation
  for k in 1:grid.n loop
    connect(node[k].p, load[grid.to[k]].p);
  end for;
end ConnectionsByParameters;
connector RealInput = input Real;
connector RealOutput = output Real;
block Source
  RealOutput y = time;
end Source;
model Sink
  parameter Boolean spare = false;
  parameter Integer n = if spare then 2 else 1;
  RealOutput u[n];
  Source first;
  Source second if spare;
equation
  connect(u[1], first.y);
  connect(u[2], second.y);
end Sink;
model WithoutSpare
  extends Sink;
end WithoutSpare;
