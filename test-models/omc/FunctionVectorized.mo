//! run: flatten --class FunctionVectorized
// Scalar functions applied to arrays element by element, built-in and own; with one and with two array arguments.
function clip
  input Real u, lo = -1, hi = 1;
  output Real y;
algorithm
  y := if u > hi then hi elseif u < lo then lo else u;
end clip;

model FunctionVectorized
  Real u[3] = {time, 2*time, 3*time};
  Real a[3] = sin(u);
  Real b[3] = clip(2*u);
  Real c[3] = clip(u, hi = {1, 2, 3});
  Real M[2, 2] = clip([time, 2; 3, -time]);
  Real d[3] = atan2(u, ones(3));
  Integer k[3] = integer(u);
  Real e[3] = abs(u - a).^2;
end FunctionVectorized;
