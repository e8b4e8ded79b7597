//! run: flatten --class WithoutHeater
//! snapshot
//! run: flatten --class WithHeater
//! stdout: tank.unit.power = 3.0 * time;
//! run: check --class Plain
// A redeclaration keeps the condition of the component it replaces (Modelica 3.6 §7.3), whether it stands in a modifier
// or in a derived class; a partial class that is not there does no harm.
partial model Unit
  Real power;
end Unit;
model Heater
  extends Unit;
equation
  power = 3*time;
end Heater;
model Tank
  parameter Boolean heated = false;
  replaceable Unit unit if heated;
  Real level = time;
end Tank;
model HeaterTank
  extends Tank(redeclare Heater unit);
end HeaterTank;
model OwnHeaterTank
  extends Tank;
  redeclare replaceable Heater unit;
end OwnHeaterTank;
model AgainTank
  extends OwnHeaterTank(redeclare Heater unit);
end AgainTank;
model WithoutHeater
  HeaterTank a;
  OwnHeaterTank b;
  Tank c(redeclare Heater unit);
  AgainTank d;
end WithoutHeater;
model WithHeater
  OwnHeaterTank tank(heated = true);
end WithHeater;
model Plain
  Tank tank;
end Plain;
