//! run: flatten --class ValuesOfRecordsAndFunctions
//! stdout: Real fromWhole = 4.0;
//! stdout: Real fromDefault = 2.0;
//! stdout: Real doubled = 6.0;
//! stdout: Real factorial = 24.0;
//! stdout: s := s + sum(abs(x[i,$i0]) for $i0 in 1:size(x[i,:], 1));
// A value of a whole record replaces the defaults of its fields; a function whose outputs are declared with values
// needs no algorithm; a row of a matrix is indexed in the matrix.
record R
  Real a = 1;
  Real b = 2;
end R;
function double
  input Real x;
  output Real y = 2*x;
end double;
function product
  input Integer n;
  output Integer p = if n <= 1 then 1 else n*product(n - 1);
end product;
function rows
  input Real x[:, :];
  output Real s = 0;
algorithm
  for i in 1:size(x, 1) loop
    s := s + sum(abs(x[i, :]));
  end for;
end rows;
model ValuesOfRecordsAndFunctions
  constant R r = R(4.0);
  Real fromWhole = r.a;
  Real fromDefault = r.b;
  Real doubled = double(3);
  Real factorial = product(4);
  Real m[2, 2] = {{time, 1}, {2, time}};
  Real s = rows(m);
end ValuesOfRecordsAndFunctions;
