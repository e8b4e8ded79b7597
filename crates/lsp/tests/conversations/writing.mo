//- /Writing.mo
function f "Adds"
  input Real x "one";
  input Integer n = 2 "another";
  output Real y "sum";
algorithm
  y := x + n;
end f;
record Point Real x; Real y; end Point;
model Writing "What is being written"
  parameter Real k(min = 0) = 1 "gain";
  Real a;
  Real b;
  Point point = Point($51, y = $62);
  Writing2 w($0k = 1$7);
equation
  a = f($11, n = $23);
  b=k*$3sin($8a);
  w.$4
end Writing;
model Writing2 parameter Real k = 1; Real z = k; end Writing2;
//? signature $1
//? signature $2
//? signature $8
//? signature $5
//? signature $6
//? signature $0
//? completion $4
//? completion $0
//? hover $3
//? format
//? delete $4 $4
//? edit $4 z = 3;
//? edit $7 , z = 1
//? diagnostics
