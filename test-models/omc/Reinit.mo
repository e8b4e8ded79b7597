//! run: flatten --class Reinit
// reinit of states: a cart between two walls and a clock that is reset; reinit in elsewhen and of an array element.
model Reinit
  parameter Real L = 1, e = 0.8;
  Real x(start = 0.2, fixed = true), v(start = 3, fixed = true);
  Real clock(start = 0, fixed = true);
  Real q[2](start = {1, 1}, each fixed = true);
  Integer hits(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -0.1*v;
  der(clock) = 1;
  der(q) = -q;
  when x > L and v > 0 then
    reinit(v, -e*pre(v));
    hits = pre(hits) + 1;
  elsewhen x < 0 and v < 0 then
    reinit(v, -e*v);
    hits = pre(hits) + 1;
  end when;
  when clock > 0.5 then
    reinit(clock, 0);
    reinit(q[2], q[2] + 1);
  end when;
end Reinit;
