//! exit: 1
//! code: MS4001 line 6
//! snapshot
//! mend: 14:
model MassBetweenWalls "Slider between two stops"
  Modelica.Mechanics.Translational.Components.Fixed left(s0 = 0);
  Modelica.Mechanics.Translational.Components.Fixed right(s0 = 1);
  Modelica.Mechanics.Translational.Components.Spring spring(c = 100, s_rel0 = 0.4);
  Modelica.Mechanics.Translational.Components.Mass slider(m = 2);
equation
  connect(left.flange, spring.flange_a);
  connect(spring.flange_b, slider.flange_a);
  connect(slider.flange_b, right.flange);
  connect(left.flange, slider.flange_a);
end MassBetweenWalls;
