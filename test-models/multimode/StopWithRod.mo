//! run: restart --from stop.contact=false --to stop.contact=true --at near.s=0,near.v=-3 --format json
//! approx: /right/near.v == 0 +- 1e-9
//! approx: /right/far.v == 0 +- 1e-9
//! run: transitions --from stop.contact=false --to stop.contact=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps contains "near.v"
// Two masses on a rigid rod hit an ideal stop together: both velocities vanish, the impulse is 3*(1 + 2).
model StopWithRod
  Modelica.Mechanics.Translational.Components.Mass near(m = 1, L = 0);
  Modelica.Mechanics.Translational.Components.Mass far(m = 2, L = 0);
  Modelica.Mechanics.Translational.Components.Rod rod(L = 1);
  Modelica.Mechanics.Translational.Components.IdealStop stop;
equation
  connect(stop.flange, near.flange_a);
  connect(near.flange_b, rod.flange_a);
  connect(rod.flange_b, far.flange_a);
end StopWithRod;
