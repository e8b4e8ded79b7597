//! run: flatten --class MatrixOperations
// Matrix operations on variables: products of all kinds, transpose, cross, skew, symmetric, scalar, power of a matrix.
model MatrixOperations
  parameter Real J[3, 3] = diagonal({1, 2, 3});
  Real w[3](start = {0.1, 0.2, 0.3}, each fixed = true);
  Real E;
  Real Q[2, 2] = [cos(time), -sin(time); sin(time), cos(time)];
  Real Q3[2, 2] = Q^3;
  Real p[2] = Q*{1, 0};
  Real q[2] = {1, 0}*Q;
  Real S[3, 3] = skew(w);
  Real sy[2, 2] = symmetric(Q);
  Real T[2, 2] = transpose(Q)*Q;
  Real dyad[3, 3] = outerProduct(w, w);
  Real h[2] = p.*q ./ {1, 2};
equation
  J*der(w) = -cross(w, J*w);
  E = w*J*w/2;
end MatrixOperations;
