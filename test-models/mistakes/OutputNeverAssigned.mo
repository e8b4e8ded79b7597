//! exit: 0
//! code: MS2047 line 7
//! snapshot
//! mend: 13+:     angle := atan2(y, x);
// Wrong: a function does not assign an output.
model OutputNeverAssigned
  function polar
    input Real x;
    input Real y;
    output Real r;
    output Real angle;
  algorithm
    r := sqrt(x^2 + y^2);
  end polar;
  Real r;
  Real angle;
equation
  (r, angle) = polar(time + 1, 2);
end OutputNeverAssigned;
