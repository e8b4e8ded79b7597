//! run: check --class Halves
//! run: flatten --class Layer
//! stdout: final parameter Integer m.steps = 3;
//! stdout: Real T[3];
//! run: flatten --class FromFunction
//! stdout: final parameter Integer coil.n = 3;
//! run: flatten --class Elementwise
//! stdout: s[2] = C.'*'.times(a[2], b[2]);
//! run: modes --class Diagonal --format json
//! json: /verdict == "accepted"
// Sizes of results follow the arguments, whatever they are; defaults of a record's constructor may read later fields; a
// function may give a record whose fields have the size of another field; `.*` of arrays of operator records works element
// by element, also where `*` is a product of vectors; and a product of matrices is told term by term.
function halves
  input Real v[:];
  output Real r[size(v, 1)];
algorithm
  r := v/2;
end halves;
model Halves
  Real v[3] = {time, 1, 2};
  Real e[3] = halves({v[1], v[2], 0});
  Real f[3] = halves(v + e);
end Halves;
record Material
  parameter Real x;
  parameter Integer steps = max(1, integer(ceil(number)));
  parameter Real number = 3*x;
end Material;
model Layer
  parameter Material m = Material(x = 1);
  Real T[m.steps] = fill(time, m.steps);
end Layer;
record Coil
  parameter Integer n;
  Real length[n];
end Coil;
function wind
  input Integer n;
  output Coil c(n = n);
algorithm
  for i in 1:n loop
    c.length[i] := i;
  end for;
end wind;
model FromFunction
  parameter Integer n = 3;
  final parameter Coil coil = wind(n);
  Real x[n] = coil.length*time;
end FromFunction;
operator record C
  Real re;
  Real im;
  encapsulated operator function 'constructor'
    import C;
    input Real re;
    input Real im = 0;
    output C c(re = re, im = im);
  algorithm
  end 'constructor';
  encapsulated operator '*'
    import C;
    function times
      input C a;
      input C b;
      output C c;
    algorithm
      c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end times;
    function scalarProduct
      input C a[:];
      input C b[size(a, 1)];
      output C c;
    algorithm
      c := C(0);
    end scalarProduct;
  end '*';
end C;
model Elementwise
  C a[2] = {C(time, 1), C(2)};
  C b[2] = a;
  C s[2];
equation
  s = a .* b;
end Elementwise;
model Diagonal
  function weights
    input Real u[2];
    output Real y[2];
  algorithm
    y := 2*u;
  end weights;
  parameter Real L = 3;
  Real v[2, 2](each start = 1, each fixed = true);
equation
  diagonal(weights({L, 2}))*der(v) + v = zeros(2, 2);
end Diagonal;
