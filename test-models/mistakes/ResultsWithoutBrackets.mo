//! run: check
//! exit: 1
//! code: MS0001 line 17
//! snapshot
//! mend: 17:   (r, phi) = polar(2 + time, 1);
// Wrong: a list of results is written in brackets.
model ResultsWithoutBrackets
  function polar
    input Real x, y;
    output Real r, phi;
  algorithm
    r := sqrt(x^2 + y^2);
    phi := atan2(y, x);
  end polar;
  Real r, phi;
equation
  r, phi = polar(2 + time, 1);
end ResultsWithoutBrackets;
