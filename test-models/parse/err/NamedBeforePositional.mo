//! run: parse
//! exit: 1
//! code: MS0001 line 12
//! code: MS0001 line 13
//! code: MS0001 line 14
//! code: MS0001 line 14
//! code: MS0001 line 17
//! code: MS0001 line 19
//! code: MS0001 line 20
//! code: MS0001 line 21
model NamedBeforePositional
  Real x = f(a = 1, 2);
  Real y(start = function g(a = 1));
  M m(model N = O, Real z);
equation
  (x, y) = f(1);
  x + 1;
algorithm
  f(x) := 2;
  (x, y) := 3;
  x + 1;
end NamedBeforePositional;
