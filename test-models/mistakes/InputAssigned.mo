//! exit: 1
//! code: MS2035 line 12
//! snapshot
//! mend: 12:     y := min(u, 10);
//! mend: 13:
// Wrong: a function assigns its input.
model InputAssigned
  function limited
    input Real u;
    output Real y;
  algorithm
    u := min(u, 10);
    y := u;
  end limited;
  Real y = limited(20*time);
end InputAssigned;
