//! run: check
//! exit: 1
//! code: MS2034 line 13
//! snapshot
//! mend: 13:     reinit(v, -0.8*pre(v));
// Wrong: a derivative is not a variable that can be reset.
model ResetOfDerivative
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(der(h), -0.8*pre(v));
  end when;
end ResetOfDerivative;
