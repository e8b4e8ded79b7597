//! run: restart --from=on=false --to=on=true --at p=4 --format json
//! json: /verdict == "determined"
//! approx: /right/p == -3.2 +- 1e-9
// `reinit` makes `v` a state (Modelica 3.6, 8.3.6), which it can be in the place of the momentum: that follows.
model ResetOfOtherName "A reset of a velocity that is computed from a momentum"
  parameter Real m = 2;
  Real p(start = 4, fixed = true) "Momentum";
  Real v = p/m "Velocity";
  input Boolean on;
equation
  der(p) = -9.81*m;
  when on then
    reinit(v, -0.8*pre(v));
  end when;
end ResetOfOtherName;
