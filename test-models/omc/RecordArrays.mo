//! run: flatten --class RecordArrays
// Arrays of records: array constructors of records, member access across the array, records with arrays and sizes.
record Layer
  parameter Real d(unit = "m") = 0.1;
  parameter Real lambda = 1;
end Layer;

record Wall
  parameter Integer n = 1;
  parameter Layer layers[n];
  parameter Real A = 10;
end Wall;

record Sample
  Real t;
  Real v[2];
end Sample;

function resistance
  input Layer l;
  output Real R;
algorithm
  R := l.d/l.lambda;
end resistance;

model RecordArrays
  parameter Layer three[3] = {Layer(0.02, 0.8), Layer(d = 0.2, lambda = 0.04), Layer()};
  parameter Wall wall(n = 3, layers = three);
  parameter Layer two[2](d = {0.1, 0.3}, each lambda = 2);
  parameter Real R = sum(wall.layers[i].d/wall.layers[i].lambda for i in 1:wall.n)/wall.A;
  parameter Real Rf[2] = {resistance(l) for l in two};
  parameter Real ds[3] = three.d;
  Sample samples[2];
  Real v2[2] = samples.v[2];
  Real sumT = sum(samples.t);
equation
  for i in 1:2 loop
    samples[i] = Sample(i*time, {i, -i}*time);
  end for;
end RecordArrays;
