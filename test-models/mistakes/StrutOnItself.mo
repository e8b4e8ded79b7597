//! run: check --deny warnings
//! exit: 1
//! code: MS3012
//! snapshot
//! mend: 13:   connect(strut.flange_b, ground.flange);
// Wrong: a strut is connected to itself, not to the ground.
model StrutOnItself
  Modelica.Mechanics.Translational.Components.Fixed ground;
  Modelica.Mechanics.Translational.Components.SpringDamper strut(c = 2e4, d = 1500);
  Modelica.Mechanics.Translational.Components.Mass body(m = 400, s(start = 0.1, fixed = true), v(start = 0, fixed = true));
equation
  connect(body.flange_a, strut.flange_a);
  connect(strut.flange_b, strut.flange_a);
end StrutOnItself;
