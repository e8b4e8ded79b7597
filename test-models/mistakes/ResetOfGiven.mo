//! exit: 1
//! code: MS2034 line 11
//! snapshot
//! mend: 11:     reinit(h, 1);
// Wrong: a variable that an equation gives is reset.
model ResetOfGiven
  Real h(start = 1, fixed = true);
  Real q = -0.1 + 0.1*sin(time);
equation
  when h < 0.9 then
    reinit(q, 0);
  end when;
  der(h) = q;
end ResetOfGiven;
