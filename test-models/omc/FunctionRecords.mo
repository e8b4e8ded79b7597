//! run: flatten --class FunctionRecords
// Functions with records in and out, called with variables, nested calls and an array of results.
record Complexe
  Real re, im;
end Complexe;

function add
  input Complexe a, b;
  output Complexe c(re = a.re + b.re, im = a.im + b.im);
algorithm
end add;

function multiply
  input Complexe a, b;
  output Complexe c;
algorithm
  c.re := a.re*b.re - a.im*b.im;
  c.im := a.re*b.im + a.im*b.re;
end multiply;

function power
  input Complexe a;
  input Integer n;
  output Complexe r;
algorithm
  r := Complexe(1, 0);
  for k in 1:n loop
    r := multiply(r, a);
  end for;
end power;

model FunctionRecords
  parameter Complexe z0 = Complexe(0.5, 0.5);
  parameter Complexe z3 = power(z0, 3);
  Complexe z, w, sum;
  Complexe roots[2];
equation
  z = Complexe(cos(time), sin(time));
  w = multiply(z, add(z, z0));
  sum = add(w, power(z, 2));
  roots = {power(z, k) for k in 2:3};
end FunctionRecords;
