//! run: simulate --stop-time 0.65 --format json
//! json: /final/a == 6.0
//! json: /final/b == 2.0
//! json: /final/c == 13.0
//! json: /final/d == 13.0
//! json: /final/m == 1.0
//! approx: /final/v1 == 4 +- 1e-9
// What a `when` reads of another one is its value at the same instant, where both fire and where only one does; the
// capacitors make the model run mode by mode.
model WhenReadsWhen
  Real v1(start = 10, fixed = true), v2(start = 2, fixed = true), i;
  Boolean on = time >= 0.45;
  discrete Real a(start = 0, fixed = true);
  discrete Real b(start = 0, fixed = true);
  discrete Real c(start = 0, fixed = true);
  discrete Real d(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Real u;
equation
  der(v1) = -i;
  3*der(v2) = i;
  if on then
    v1 = v2;
  else
    i = 0;
  end if;
  u = 2*a;
  when sample(0.1, 0.1) then
    a = pre(a) + 1;
  end when;
  when time >= 0.25 then
    b = a;
  end when;
  when u > 5 then
    c = a + 10;
    n = pre(n) + 1;
  end when;
  when n > 0 then
    d = c;
    m = n + pre(m);
  end when;
end WhenReadsWhen;
