//! run: transitions --from g=false --to g=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/der(x) == "1"
//! json: /transitions/0/impulsive/u == "1"
//! run: restart --from g=false --to g=true --at x=0,y=1,u=1 --format json
//! approx: /right/x == -5 +- 1e-9
//! approx: /right/y == 2 +- 1e-9
//! approx: /weights/u == -1 +- 1e-9
// The constraint moves `y` with an impulse of `u`, and that impulse acts on `x` as well. What `reinit` sets is the value after
// both.
model ResetMovedByImpulse
  Real x(start = 0), y(start = 1), u(start = 1);
  input Boolean g;
equation
  der(x) = -3*u;
  der(y) = -u;
  if g then
    x + y^3 = 3;
  else
    der(u) = -y;
  end if;
  when g then
    reinit(x, -5*pre(y));
  end when;
end ResetMovedByImpulse;
