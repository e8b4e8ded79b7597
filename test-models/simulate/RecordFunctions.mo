//! run: simulate --class RecordFunctions --format json
//! json: /completed == true
//! approx: /final/x == 0.0497870683679 +- 1e-7
//! approx: /final/y == 0.841470984808 +- 1e-7
//! approx: /final/z == 11 +- 1e-7
// Records go into functions, come out of them, and are made inside; cosine comes from C.
record Pair
  Real a;
  Real b[2];
end Pair;

function total
  input Pair p;
  output Real y;
algorithm
  y := p.a + p.b[1] + p.b[2];
end total;

function spread
  input Real x;
  output Pair p;
protected
  Pair other;
algorithm
  other := Pair(x, {x, 0});
  other.b[2] := x;
  p := other;
end spread;

function cosine
  input Real x;
  output Real y;
  external "C" y = cos(x);
end cosine;

model RecordFunctions
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
  Real z(start = 0, fixed = true);
  Pair p = spread(x);
equation
  der(x) = -total(p);
  der(y) = cosine(time);
  der(z) = total(Pair(1, {2, 8}));
  annotation(experiment(StopTime = 1, Tolerance = 1e-9));
end RecordFunctions;
