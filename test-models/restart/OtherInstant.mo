//! run: restart --from contact=true --to contact=false --at "x=-0.1,y=-0.1,v=2,w=2" --format json
//! code: MS5015
//! json: /contradictions/0 == "the zero crossing that causes the change"
//! json: /contradictions len 1
//! approx: /left/N == 998.2727272727 +- 1e-6
model OtherInstant "Values that satisfy the mode before, but not its end: the hammer is still pressed to the anvil"
  parameter Real m = 10, M = 100, c = 1e5, g = 9.81;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real y(start = 0, fixed = true), w(start = 0, fixed = true);
  Real N;
  Boolean contact(start = false, fixed = true);
equation
  der(x) = v;
  der(y) = w;
  m*der(v) = N - m*g;
  M*der(w) = -c*y - N;
  contact = if pre(contact) then pre(N) > 0 else pre(x) < pre(y);
  if contact then
    x = y;
  else
    N = 0;
  end if;
end OtherInstant;
