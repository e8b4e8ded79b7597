//! run: check --deny warnings
//! exit: 1
//! code: MS4019 line 12
//! snapshot
//! mend: 12:     y = 0.9*pre(y) + 0.1*u;
// Wrong: a filter reads the value that it computes.
model FilterOfItself
  discrete Real y(start = 0, fixed = true);
  Real u = sin(time);
equation
  when sample(0, 0.1) then
    y = 0.9*y + 0.1*u;
  end when;
end FilterOfItself;
