//! run: flatten --class AlgorithmSections
// Algorithm sections in a model: several of them, loops, while, break, intermediate values, arrays filled element by element.
model AlgorithmSections
  parameter Integer n = 4;
  Real u = sin(time);
  Real poly[n], newton, sorted[3], y;
  Integer steps;
algorithm
  poly[1] := 1;
  for k in 2:n loop
    poly[k] := poly[k - 1]*u;
  end for;
algorithm
  newton := 1 + abs(u);
  steps := 0;
  while abs(newton*newton - 2 - u) > 1e-6 loop
    newton := 0.5*(newton + (2 + u)/newton);
    steps := steps + 1;
    if steps > 20 then
      break;
    end if;
  end while;
algorithm
  sorted := {u, -u, 0.5};
  for i in 1:2, j in 1:2 loop
    if sorted[j] > sorted[j + 1] then
      y := sorted[j];
      sorted[j] := sorted[j + 1];
      sorted[j + 1] := y;
    end if;
  end for;
  y := sum(sorted.^2);
end AlgorithmSections;
