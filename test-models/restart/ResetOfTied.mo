//! run: restart --from g=false --to g=true --at x=1,z=5 --format json
//! json: /verdict == "determined"
//! approx: /right/x == 3 +- 1e-9
//! approx: /right/y == -6 +- 1e-9
//! approx: /right/z == 5 +- 1e-9
// `reinit` of a variable sets what an equation of both modes ties to it: the two are one state. A reset is no impulse, so what
// integrates the rate of the other takes no part in it.
model ResetOfTied "A reset of a variable to which another is tied"
  Real x(start = 1);
  Real y "Tied to `x`";
  Real z(start = 5);
  input Boolean g;
equation
  y = -2*x;
  der(x) + 2*der(y) = 1;
  der(z) = y + der(y);
  when g then
    reinit(x, 3);
  end when;
end ResetOfTied;
