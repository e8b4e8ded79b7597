//! exit: 1
//! code: MS2042 line 14
//! snapshot
// Wrong: the name of an operator is used for a function.
model FunctionCalledSmooth
  function smooth "A step that is rounded"
    input Real x;
    input Real width;
    input Real height;
    output Real y;
  algorithm
    y := height*(1 + tanh(x/width))/2;
  end smooth;
  Real s = smooth(time - 0.5, 0.1, 2);
end FunctionCalledSmooth;
