//! exit: 1
//! code: MS2006 line 7
//! snapshot
//! mend: 7:   Modelica.Mechanics.Rotational.Components.Spring shaft(c = 100);
// Wrong: a modifier names a parameter that does not exist.
model ModifierMisspelt
  Modelica.Mechanics.Rotational.Components.Spring shaft(C = 100);
  Modelica.Mechanics.Rotational.Components.Inertia rotor(J = 2, phi(start = 1, fixed = true), w(start = 0, fixed = true));
  Modelica.Mechanics.Rotational.Components.Fixed wall;
equation
  connect(wall.flange, shaft.flange_a);
  connect(shaft.flange_b, rotor.flange_a);
end ModifierMisspelt;
