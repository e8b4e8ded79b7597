//! run: flatten --class SizesAndDims
// Array sizes: from parameters, from other arrays, colon dimensions with bindings, size in nested components, size zero.
model Filter
  parameter Real a[:] = {1, 1} "coefficients";
  final parameter Integer n = size(a, 1) - 1;
  Real x[n](each start = 0);
  input Real u;
  output Real y;
equation
  if n > 0 then
    der(x[1]) = u - sum(a[2:end])*x[1];
    for i in 2:n loop
      der(x[i]) = x[i - 1] - a[i]*x[i];
    end for;
    y = x[n];
  else
    y = a[1]*u;
  end if;
end Filter;

model SizesAndDims
  parameter Integer k = 2;
  Filter f0(a = {3}, u = time), f1(u = time), f3(a = {1, 2, 3, 4}, u = time);
  Filter bank[k](each a = 1:3, u = {time, 2*time});
  parameter Real table[:, :] = fill(1.5, k, k + 1);
  Real t[size(table, 2)] = table[1, :]*time;
  parameter Integer total = size(f3.x, 1) + size(bank, 1) + size(table, 1);
  Real none[k - 2];
end SizesAndDims;
