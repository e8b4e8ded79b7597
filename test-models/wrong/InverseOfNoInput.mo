//! run: check --class InverseOfNoInput
//! exit: 1
//! code: MS2031 line 12
//! code: MS2031 line 20
// Wrong: an inverse and a derivative by annotation name inputs of the function.
model InverseOfNoInput
  function f
    input Real x;
    output Real y;
  algorithm
    y := 2 * x;
    annotation(
      inverse(z = g(y)));
  end f;
  function g
    input Real y;
    output Real x;
  algorithm
    x := y / 2;
    annotation(derivative(noDerivative = w) = f);
  end g;
  Real x = f(time);
end InverseOfNoInput;
