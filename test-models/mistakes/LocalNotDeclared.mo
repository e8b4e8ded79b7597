//! exit: 1
//! code: MS2001 line 12
//! snapshot
//! mend: 10:   protected Real z; algorithm
// Wrong: a variable of the function is not declared.
model LocalNotDeclared
  function f
    input Real x;
    output Real y;
  algorithm
    // One message for both places.
    z := x + 1;
    y := z^2;
  end f;
  Real y = f(time);
end LocalNotDeclared;
