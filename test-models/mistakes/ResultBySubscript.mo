//! exit: 1
//! code: MS2027 line 17
//! snapshot
//! mend: 17:   (, b) = both(time);
// Wrong: the second result of a function is chosen by a subscript.
model ResultBySubscript
  function both
    input Real x;
    output Real square;
    output Real cube;
  algorithm
    square := x^2;
    cube := x^3;
  end both;
  Real b;
equation
  b = both(time)[2];
end ResultBySubscript;
