//! run: check --class Chain
//! run: flatten --class Chain
//! stdout: inner_.u = inner_.internal;
//! run: check --class Plugs
// One source for many inputs; a protected connector of a class is no source, it only passes a signal on; outputs of a
// class take their value from outputs of its parts.
connector RealInput = input Real;
connector RealOutput = output Real;
block Source
  RealOutput y = time;
end Source;
block Inner
  RealInput u;
  RealOutput y;
protected
  RealInput internal;
equation
  connect(u, internal);
  y = 2 * internal;
end Inner;
block Outer
  RealOutput y;
  Source source;
equation
  connect(source.y, y);
end Outer;
model Chain
  Outer outer_;
  Inner inner_, other;
equation
  connect(outer_.y, inner_.u);
  connect(outer_.y, other.u);
end Chain;
connector Plug
  constant Integer m = 3;
  Real v;
  flow Real i;
end Plug;
model Part
  Plug p;
equation
  p.v = time;
end Part;
model Load
  Plug p;
equation
  p.i = 1;
end Load;
model Plugs
  Part a(p(m = 2));
  Load b(p(m = 2));
equation
  connect(a.p, b.p);
end Plugs;
