//! run: restart --from g=false --to g=true --at x=1,y=3,u=2 --format json
//! json: /verdict == "determined"
//! approx: /right/x == 2 +- 1e-12
//! approx: /right/y == 2 +- 1e-12
//! approx: /right/u == 2 +- 1e-12
model NewStateBesideOthers "A state that was none before starts from its last value"
  Real x(start = 1);
  Real y(start = 3);
  Real u;
  Real rate;
  input Boolean g;
equation
  der(x) = rate + 3*u;
  der(y) = -rate;
  if g then
    x = y;
    der(u) = 9;
  else
    rate = 0;
    u = 2;
  end if;
end NewStateBesideOthers;
