//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 3
//! approx: /events/0/jumps/shaft1.w/after == 3.33333333333 +- 1e-9
//! approx: /events/1/jumps/shaft3.w/after == 1.66666666667 +- 1e-9
//! approx: /events/2/jumps/shaft4.w/after == 1 +- 1e-9
//! approx: /final/shaft1.w == 1 +- 1e-9
//! json: /statistics/modes == 4
// Three clutches engage in turn; each time the angular momentum of what is coupled stays.
model Gearbox
  import Modelica.Mechanics.Rotational.Components.{IdealClutch, Inertia};
  Inertia shaft1(J = 1, w(start = 10, fixed = true));
  Inertia shaft2(J = 2, w(start = 0, fixed = true));
  Inertia shaft3(J = 3, w(start = 0, fixed = true));
  Inertia shaft4(J = 4, w(start = 0, fixed = true));
  IdealClutch clutch1;
  IdealClutch clutch2;
  IdealClutch clutch3;
equation
  clutch1.engaged = time >= 1;
  clutch2.engaged = time >= 2;
  clutch3.engaged = time >= 3;
  connect(shaft1.flange_b, clutch1.flange_a);
  connect(clutch1.flange_b, shaft2.flange_a);
  connect(shaft2.flange_b, clutch2.flange_a);
  connect(clutch2.flange_b, shaft3.flange_a);
  connect(shaft3.flange_b, clutch3.flange_a);
  connect(clutch3.flange_b, shaft4.flange_a);
  annotation(experiment(StopTime = 4));
end Gearbox;
