//! run: restart --from g=false --to g=true --at x=1,z=5 --format json
//! json: /verdict == "determined"
//! approx: /right/x == 3 +- 1e-9
//! approx: /right/y == 30 +- 1e-9
//! approx: /right/z == 5 +- 1e-9
//! json: /weights == {}
// A reset of `x` moves `y`, which an equation of both modes ties to it, and makes no impulse of it: what integrates the rate of
// `y` stays.
model ResetOfTiedNonlinear "A reset of a variable to which another is tied by a curve"
  Real x(start = 1);
  Real y "Tied to `x`";
  Real z(start = 5) "Integrates the rate of `y`";
  input Boolean g;
equation
  der(x) = -x;
  y = x^3 + x;
  der(z) = sin(z)*z + der(y);
  when g then
    reinit(x, 3);
  end when;
end ResetOfTiedNonlinear;
