//! run: modes --format json --class ComponentDiodes
//! exit: 1
//! json: /verdict == "rejected"
//! code: MS4002
//! json: /fixpoints/0/equations/0/component == "d"
//! run: check --class ComponentDiodes
//! exit: 1
//! code: MS4002
//! snapshot
// The condition stands in one class, the rest of the loop in others: the message shows them all.
connector Pin
  Real v;
  flow Real i;
end Pin;

model Diode
  Pin p;
  Pin n;
  Real s;
  Boolean on;
equation
  on = s >= 0;
  p.i + n.i = 0;
  s = if on then p.i else p.v - n.v;
  0 = if on then p.v - n.v else p.i;
end Diode;

model Source
  Pin p;
  Pin n;
equation
  p.i + n.i = 0;
  p.v - n.v = sin(time);
end Source;

model Load
  Pin p;
  Pin n;
  Real v(start = 0);
equation
  p.i + n.i = 0;
  p.v - n.v = v;
  der(v) = p.i - v;
end Load;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model ComponentDiodes
  Source source;
  Diode d;
  Load load;
  Ground ground;
equation
  connect(source.p, d.p);
  connect(d.n, load.p);
  connect(load.n, source.n);
  connect(source.n, ground.p);
end ComponentDiodes;
