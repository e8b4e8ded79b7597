//! run: restart --from engaged=false --to engaged=true --at left.v=0,right.v=6 --format json
//! approx: /right/left.v == 0 +- 1e-9
//! approx: /right/right.v == 0 +- 1e-9
//! run: transitions --from applied=true,engaged=false --to engaged=true --format json
//! json: /transitions/0/verdict == "determined"
// A cart that is braked to ground catches another one: both stand.
model BrakeTwoCoupled
  Modelica.Mechanics.Translational.Components.Mass left(m = 1);
  Modelica.Mechanics.Translational.Components.Mass right(m = 2);
  Modelica.Mechanics.Translational.Components.IdealBrake brake;
  Modelica.Mechanics.Translational.Components.IdealCoupling coupling;
  input Boolean applied(start = true), engaged;
equation
  brake.applied = applied;
  coupling.engaged = engaged;
  connect(brake.flange, left.flange_a);
  connect(left.flange_b, coupling.flange_a);
  connect(coupling.flange_b, right.flange_a);
end BrakeTwoCoupled;
