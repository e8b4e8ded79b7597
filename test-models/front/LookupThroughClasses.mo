//! run: check --class Uses
//! run: flatten --class Uses
//! stdout: Real a = 2.0 * time;
//! stdout: Real c = 4200.0 * time;
//! run: check --class ThroughComponent
// Names lead through packages, through classes that have classes and constants only, and to what is encapsulated. Functions
// can be named through components.
class Tools
  constant Real two = 2;
  function twice
    input Real x;
    output Real y = 2 * x;
  end twice;
end Tools;
model Motor
  Real w = 1;
  encapsulated record Data
    Real J = 3;
  end Data;
end Motor;
partial package Medium
  constant Real cp = 4200;
  type Pressure = Real(unit = "Pa");
end Medium;
package Water
  extends Medium;
end Water;
model Uses
  Motor.Data data;
  Real a = Tools.two * time;
  Real c = Water.cp * time;
  Water.Pressure p = 1;
end Uses;
model Pump
  parameter Real k = 3;
  package Functions
    function scaled
      input Real x;
      output Real y = 3 * x;
    end scaled;
  end Functions;
end Pump;
model ThroughComponent
  Pump pump;
  Real y = pump.Functions.scaled(time);
end ThroughComponent;
