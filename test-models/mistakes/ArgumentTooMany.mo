//! exit: 1
//! code: MS2022 line 14
//! snapshot
//! mend: 14:   Real a = area(2, 3*time);
// Wrong: a function gets an argument too many.
model ArgumentTooMany
  function area
    input Real width;
    input Real height;
    output Real a;
  algorithm
    a := width*height;
  end area;
  Real a = area(2, 3, time);
end ArgumentTooMany;
