//! exit: 1
//! code: MS4001
//! snapshot
//! mend: 12:   connect(motor.flange, gear.flange_a); connect(gear.flange_b, drum.flange_a);
model GearWithOpenFlange
  Modelica.Mechanics.Rotational.Sources.Torque motor;
  Modelica.Mechanics.Rotational.Components.IdealGear gear(ratio = 5);
  Modelica.Mechanics.Rotational.Components.Inertia drum(J = 2);
  Modelica.Blocks.Sources.Constant torque(k = 3);
equation
  connect(torque.y, motor.tau);
  connect(motor.flange, gear.flange_a);
end GearWithOpenFlange;
