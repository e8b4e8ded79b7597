//! run: check
//! code: MS4004
//! run: restart --from latched=false --to latched=true --at x1=0.5,x2=13,v1=2,v2=0 --format json
//! json: /verdict == "determined"
//! approx: /right/x1 == 1 +- 1e-12
//! approx: /right/v1 == 0.0327868852 +- 1e-9
//! json: /weights/v1 absent
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
