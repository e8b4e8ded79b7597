//! run: restart --from g=false --to g=true --at x=1,z=1 --format json
//! json: /verdict == "determined"
//! approx: /right/x == 1.25 +- 1e-9
//! json: /weights == {}
//! run: check
// `y = 4*x` holds always, so `reinit(y, …)` is a reset of the state `x`, also where the new mode is not linear.
model ResetThroughNonlinearMode
  Real x(start = 1, fixed = true), y, z(start = 1, fixed = true);
  Boolean g = time >= 1;
equation
  y = 4*x;
  der(x) = -4*y;
  if g then
    x^3 + x = 4*z;
  else
    der(z) = 4*x + 2*x*z;
  end if;
  when g then
    reinit(y, 4*pre(x) + 1);
  end when;
end ResetThroughNonlinearMode;
