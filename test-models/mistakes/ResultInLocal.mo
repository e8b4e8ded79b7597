//! code: MS2047 line 6
//! snapshot
//! mend: 13:     y := 0.5*(guess + x/guess);
// Wrong: the result stays in a local variable.
model ResultInLocal
  function root
    input Real x;
    output Real y;
  protected
    Real guess;
  algorithm
    guess := 0.5*(x + 1);
    guess := 0.5*(guess + x/guess);
  end root;
  Real y = root(time + 1);
end ResultInLocal;
