//! run: check --class Together
//! run: check --class Alone
//! exit: 1
//! code: MS2078 line 20
// A parameter with a condition may be given to a component that exists under a condition, too; elsewhere it is used in `connect`
// only.
block Heater
  parameter Real power = 1;
  Real y = power*time;
end Heater;
model Together
  parameter Boolean heated = true;
  parameter Real power = 2 if heated;
  Heater heater(power = power) if heated;
end Together;
model Alone
  parameter Boolean heated = true;
  parameter Real power = 2 if heated;

  Heater heater(power = power);
end Alone;
