within Modelica.Mechanics.Translational;
package Sensors "Ideal sensors"
  extends Modelica.Icons.SensorsPackage;

  model PositionSensor "Position of a flange"
    Interfaces.Flange_a flange "Flange";
    Modelica.Blocks.Interfaces.RealOutput s(unit="m") "Position";
  equation
    s = flange.s;
    flange.f = 0;
  end PositionSensor;

  model SpeedSensor "Velocity of a flange"
    Interfaces.Flange_a flange "Flange";
    Modelica.Blocks.Interfaces.RealOutput v(unit="m/s") "Velocity";
  equation
    v = der(flange.s);
    flange.f = 0;
  end SpeedSensor;

  model ForceSensor "Force between two flanges"
    extends Interfaces.PartialTwoFlanges;
    Modelica.Blocks.Interfaces.RealOutput f(unit="N") "Force";
  equation
    flange_a.s = flange_b.s;
    0 = flange_a.f + flange_b.f;
    f = flange_a.f;
  end ForceSensor;
end Sensors;
