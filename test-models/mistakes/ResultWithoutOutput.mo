//! exit: 1
//! code: MS2031 line 9
//! snapshot
//! mend: 9:     output Real y;
// Wrong: the result of a function is not declared as its output.
model ResultWithoutOutput
  function f
    input Real x;
    Real y;
  algorithm
    y := x + 1;
  end f;
  Real y = f(time);
end ResultWithoutOutput;
