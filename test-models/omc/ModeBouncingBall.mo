//! run: flatten --class ModeBouncingBall
// Multimode: a bouncing ball that comes to rest; reinit at impact and a Boolean that switches gravity off.
model ModeBouncingBall
  parameter Real e(min = 0, max = 1) = 0.7, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true);
  Boolean impact = h <= 0;
  discrete Real vNew(start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = if flying then -g else 0;
  when {h <= 0 and v <= 0, impact} then
    vNew = if edge(impact) then -e*pre(v) else 0;
    flying = vNew > 0;
    reinit(v, vNew);
    bounces = pre(bounces) + 1;
  end when;
end ModeBouncingBall;
