//! run: flatten --class EachMods
// The prefix each, array modifiers without each, nested arrays of components, matrix start values.
model Cell
  parameter Real C = 1, G = 1;
  Real T(start = 300, fixed = true);
  Real Q;
equation
  C*der(T) = Q - G*T;
end Cell;

model Row
  parameter Integer n = 2;
  Cell cells[n](each C = 2, G = linspace(1, 2, n));
  Real total = sum(cells.T);
end Row;

model EachMods
  Row a(n = 3, cells(each T(start = 310)));
  Row rows[2](each n = 2, cells(C = {{1, 2}, {3, 4}}, each G = 5));
  Row same[2](each cells(C = {7, 8}));
  Real M[2, 2](start = {{1, 2}, {3, 4}}, each fixed = true);
  Real v[3](each unit = "m/s", start = {1, 2, 3});
  parameter Real p[2](each min = 0, max = {1, 2}) = {0.5, 1.5};
equation
  a.cells.Q = {1, 2, 3}*time;
  for i in 1:2 loop
    rows[i].cells.Q = p*i;
    same[i].cells.Q = p/i;
  end for;
  der(M) = -M;
  v = {time, 2*time, 3*time};
end EachMods;
