//! exit: 1
//! code: MS4012 line 7
//! snapshot
//! mend: 11:     b = 3 - a;
model SumInWhen "Exchange between two stores"
  discrete Real a(start = 1, fixed = true);
  discrete Real b(start = 2, fixed = true);
equation
  when sample(1, 1) then
    a = 0.5*pre(a) + 0.5*pre(b);
    a + b = 3;
  end when;
end SumInWhen;
