//! run: restart --from stop.contact=false --to stop.contact=true --at near.s=0,near.v=-3,far.s=1,far.v=-2 --format json
//! approx: /right/near.v == 0 +- 1e-9
//! approx: /right/far.v == -2 +- 1e-9
//! approx: /right/near.s == 0 +- 1e-9
//! run: transitions --from stop.contact=false --to stop.contact=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps == ["near.v"]
// A mass hits an ideal stop; the one behind a spring does not notice yet.
model StopWithSpring
  Modelica.Mechanics.Translational.Components.Mass near(m = 1, L = 0);
  Modelica.Mechanics.Translational.Components.Mass far(m = 2, L = 0);
  Modelica.Mechanics.Translational.Components.Spring spring(c = 100, s_rel0 = 1);
  Modelica.Mechanics.Translational.Components.IdealStop stop;
equation
  connect(stop.flange, near.flange_a);
  connect(near.flange_b, spring.flange_a);
  connect(spring.flange_b, far.flange_a);
end StopWithSpring;
