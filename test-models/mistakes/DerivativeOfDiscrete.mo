//! exit: 1
//! code: MS2034 line 13
//! snapshot
//! mend: 13:   rate = count/max(time, 1);
// Wrong: the derivative of a counter is taken.
model DerivativeOfDiscrete
  Integer count(start = 0, fixed = true);
  Real rate;
equation
  when sample(0, 1) then
    count = pre(count) + 1;
  end when;
  rate = der(count);
end DerivativeOfDiscrete;
