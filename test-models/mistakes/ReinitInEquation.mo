//! exit: 1
//! code: MS2032 line 15
//! snapshot
//! mend: 14:   when h < 0 then
//! mend: 15:     reinit(v, -0.8*pre(v));
//! mend: 16:   end when;
// Wrong: reinit is used without when.
model ReinitInEquation
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  if h < 0 then
    reinit(v, -0.8*v);
  end if;
end ReinitInEquation;
