//! run: check
//! code: MS4004
// A law and a `reinit` in one `when` are two statements about the instant, none too many.
model LatchedWagons
  parameter Real m1 = 7, m2 = 420, reach = 12;
  Real x1(start = 0), x2(start = 13), v1(start = 0.1), v2(start = 0), f;
  input Boolean latched;
equation
  der(x1) = v1;
  der(x2) = v2;
  m1*der(v1) = f + (if latched then 0 else 20);
  m2*der(v2) = -f;
  if latched then
    x2 - x1 = reach;
  else
    f = 0;
  end if;
  when latched then
    m1*v1 + m2*v2 = m1*pre(v1) + m2*pre(v2);
    reinit(x1, pre(x2) - reach);
  end when;
end LatchedWagons;
