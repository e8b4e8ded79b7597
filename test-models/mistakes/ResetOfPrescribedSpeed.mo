//! exit: 1
//! code: MS2034 line 12
//! snapshot
//! mend: 12:     reinit(s, 0);
model ResetOfPrescribedSpeed "Cart that is driven"
  Real s(start = 0, fixed = true);
  Real v;
equation
  v = 2*cos(time);
  der(s) = v;
  when s > 1 then
    reinit(v, -v);
  end when;
end ResetOfPrescribedSpeed;
