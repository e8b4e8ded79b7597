//! run: flatten
//! stdout: final parameter Real z.re = 0.5 * r;
//! stdout: final parameter Real z.im = atan(1.0 / r);
// A function that only puts a record together gives each field of a parameter its value: the parameter follows its arguments,
// and no initial equation is needed.
model ToldByFunction
  record Number
    Real re;
    Real im;
  end Number;
  function both
    input Real a;
    input Real b;
    output Number n;
  algorithm
    n := Number(0.5*a, b);
  end both;
  parameter Real r = 2;
  final parameter Number z = both(r, atan(1/r));
end ToldByFunction;
