//! run: simulate --format json
//! approx: /final/y == 1 +- 1e-9
//! approx: /final/z == 5 +- 1e-9
// In a function the sizes of arrays are those of the call: `scalar`, `vector` and `matrix` take them as they come.
model ScalarOfUnknown
  function only
    input Real m[:, :];
    output Real y = scalar(m);
  end only;
  function total
    input Real m[:, :];
    output Real y = sum(vector(m));
  end total;
  function first
    input Real t[:, :, :];
    output Real y;
  protected
    Real m[size(t, 1), size(t, 2)] = matrix(t);
  algorithm
    y := m[1, 1];
  end first;
  Real y = only([time]);
  Real z = total([time; 2]) + first({{{2*time}}});
end ScalarOfUnknown;
