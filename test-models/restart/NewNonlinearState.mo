//! run: restart --from g=false --to g=true --at x=1,y=3,u=2 --format json
//! json: /verdict == "determined"
//! approx: /right/x == 2 +- 1e-9
//! approx: /right/y == 2 +- 1e-9
//! approx: /right/u == 2 +- 1e-12
//! approx: /weights/rate == 1 +- 1e-9
// As NewStateBesideOthers. The product makes it a matter of arrays: they are asked again with the last value of `u` as past.
model NewNonlinearState "A state that was none before starts from its last value, in nonlinear models, too"
  Real x(start = 1);
  Real y(start = 3);
  Real u;
  Real rate;
  input Boolean g;
equation
  der(x) = rate + 3*u^2;
  der(y) = -rate;
  if g then
    x = y;
    der(u) = 9 - x*u;
  else
    rate = 0;
    u = 2;
  end if;
end NewNonlinearState;
