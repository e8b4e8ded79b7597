//! run: flatten --class VectorsOfModels
// Arrays of models with equations across them, matrix of components, member access with subscripts and slices.
model Node
  parameter Real C = 1;
  Real T(start = 20), Q;
  Real hist[2];
equation
  C*der(T) = Q;
  hist = {T, T^2};
end Node;

model VectorsOfModels
  parameter Integer n = 2, m = 2;
  Node node[n, m](C = [1, 2; 3, 4]);
  Node chain[3];
  Real firstRow[m] = node[1, :].T;
  Real hot = max(chain.T);
  Real h2[3] = chain.hist[2];
  Real mean = sum(node.T)/(n*m);
equation
  for i in 1:n, j in 1:m loop
    node[i, j].Q = mean - node[i, j].T;
  end for;
  chain[1].Q = 10 - chain[1].T;
  chain[2:3].Q = chain[1:2].T - chain[2:3].T;
end VectorsOfModels;
