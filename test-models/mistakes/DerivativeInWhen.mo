//! exit: 1
//! code: MS2032 line 13
//! snapshot
//! mend: 12:   der(m) = if filling then 0.5 else 0;
//! mend: 13:
//! mend: 14:
// Wrong: a differential equation holds at an instant only.
model DerivativeInWhen
  Real m(start = 0, fixed = true);
  Boolean filling = time < 3;
equation
  when filling then
    der(m) = 0.5;
  end when;
end DerivativeInWhen;
