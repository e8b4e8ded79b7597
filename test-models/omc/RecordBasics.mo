//! run: flatten --class RecordBasics
// Records: parameters, variables, constructor calls, nested records, record equations and bindings.
record Material
  parameter Real rho = 1000;
  parameter Real cp = 4200;
end Material;

record Point
  Real x, y;
end Point;

record Segment
  Point a, b;
  Material mat;
  String label = "segment";
end Segment;

function length
  input Segment s;
  output Real L;
algorithm
  L := sqrt((s.a.x - s.b.x)^2 + (s.a.y - s.b.y)^2);
end length;

model Body
  parameter Material mat;
  parameter Real V = 1;
  parameter Real C = mat.rho*mat.cp*V;
  Real T(start = 300, fixed = true);
equation
  C*der(T) = 1000;
end Body;

model RecordBasics
  parameter Material steel(rho = 7850, cp = 480);
  Body water, iron(mat = steel), other(mat(cp = 900)), built(mat = Material(rho = 2700, cp = 897));
  Point p, q(x = time), r = Point(2*time, y = 3);
  Segment s(a = p, mat = steel);
  Real L = length(s);
equation
  p = Point(sin(time), cos(time));
  q.y = p.y;
  s.b = q;
end RecordBasics;
