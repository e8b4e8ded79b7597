//! exit: 1
//! code: MS2034 line 11
//! snapshot
//! mend: 11:     m = pre(n) + pre(m);
model PreOfExpression "Debounced counter"
  discrete Integer n(start = 0, fixed = true);
  discrete Integer m(start = 0, fixed = true);
equation
  when sample(0, 1) then
    n = pre(n) + 1;
    m = pre(n + m);
  end when;
end PreOfExpression;
