//! run: simulate --format json
//! json: /completed == true
//! approx: /final/body.s == 5 +- 1e-5
//! approx: /final/body.v == 10 +- 1e-5
// A body rests on a stop until a step of force lifts it: position and speed are both on the threshold.
model LiftedByStep
  Modelica.Mechanics.Translational.Components.Mass body(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Modelica.Mechanics.Translational.Components.IdealStop stop(s_min = 0);
  Modelica.Mechanics.Translational.Sources.Force push;
equation
  push.f = -10 + (if time < 1 then 0 else 20);
  connect(push.flange, body.flange_a);
  connect(body.flange_b, stop.flange);
  annotation(experiment(StopTime = 2));
end LiftedByStep;
