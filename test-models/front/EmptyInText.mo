//! run: flatten
//! stdout: y = EmptyInText.f(time, {});
// An array without elements has no variables, so the text cannot name it.
model EmptyInText
  function f
    input Real x;
    input Real v[:];
    output Real y;
  algorithm
    y := x + sum(v);
  end f;
  parameter Integer n = 0;
  Real v[n];
  Real y;
equation
  y = f(time, v);
end EmptyInText;
