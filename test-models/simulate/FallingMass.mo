//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 1
//! approx: /events/0/jumps/mass.v/after == 0 +- 1e-9
//! approx: /final/mass.s == 0 +- 1e-9
//! approx: /final/floor.flange.f == -19.6133 +- 1e-6
// The mass falls on the stop and rests there, pressing with its weight.
model FallingMass
  extends Modeshift.Examples.Translational.FallingMass;
  annotation(experiment(StopTime = 2));
end FallingMass;
