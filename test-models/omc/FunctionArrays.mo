//! run: flatten --class FunctionArrays
// Functions with arrays: flexible sizes, protected arrays, matrix results, return, array arguments from the model.
function smoothVector
  input Real v[:];
  input Real w = 0.5;
  output Real r[size(v, 1)];
protected
  Integer n = size(v, 1);
algorithm
  r := v;
  if n < 3 then
    return;
  end if;
  for i in 2:n - 1 loop
    r[i] := (1 - w)*v[i] + w*(v[i - 1] + v[i + 1])/2;
  end for;
end smoothVector;

function dyadic
  input Real a[:], b[:];
  output Real M[size(a, 1), size(b, 1)];
algorithm
  for i in 1:size(a, 1), j in 1:size(b, 1) loop
    M[i, j] := a[i]*b[j];
  end for;
end dyadic;

function tridiagonalSolve
  input Real lower[:], diag[:], upper[:], rhs[:];
  output Real x[size(diag, 1)];
protected
  Integer n = size(diag, 1);
  Real c[n], d[n], m;
algorithm
  c[1] := upper[1]/diag[1];
  d[1] := rhs[1]/diag[1];
  for i in 2:n loop
    m := diag[i] - lower[i]*c[i - 1];
    c[i] := upper[i]/m;
    d[i] := (rhs[i] - lower[i]*d[i - 1])/m;
  end for;
  x[n] := d[n];
  for i in n - 1:-1:1 loop
    x[i] := d[i] - c[i]*x[i + 1];
  end for;
end tridiagonalSolve;

model FunctionArrays
  parameter Integer n = 3;
  Real v[n] = {sin(k*time) for k in 1:n};
  Real s[n] = smoothVector(v, w = 0.25);
  Real M[n, 2] = dyadic(v, {1, 2});
  Real x[n];
equation
  x = tridiagonalSolve(fill(-1, n), fill(2, n), fill(-1, n), s);
end FunctionArrays;
