//! exit: 1
//! code: MS4001 line 11
//! snapshot
//! mend: 12+:   Components.Damper brake(d = 3);
//! mend: 16:   connect(shaft.flange_b, brake.flange_a);
//! mend: 16+:   connect(brake.flange_b, housing.flange);
// Wrong: a shaft is driven and clamped.
model SpeedAgainstWall
  import Modelica.Mechanics.Rotational.Components;
  import Modelica.Mechanics.Rotational.Sources;
  Sources.ConstantSpeed motor(w_fixed = 50);
  Components.Inertia shaft(J = 0.2);
  Components.Fixed housing;
equation
  connect(motor.flange, shaft.flange_a);
  connect(shaft.flange_b, housing.flange);
end SpeedAgainstWall;
