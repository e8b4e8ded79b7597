within Modelica.Mechanics.Rotational;
package Sensors "Ideal sensors"
  extends Modelica.Icons.SensorsPackage;

  model AngleSensor "Angle of a flange"
    Interfaces.Flange_a flange "Flange";
    Modelica.Blocks.Interfaces.RealOutput phi(unit="rad") "Angle";
  equation
    phi = flange.phi;
    flange.tau = 0;
  end AngleSensor;

  model SpeedSensor "Speed of a flange"
    Interfaces.Flange_a flange "Flange";
    Modelica.Blocks.Interfaces.RealOutput w(unit="rad/s") "Speed";
  equation
    w = der(flange.phi);
    flange.tau = 0;
  end SpeedSensor;

  model TorqueSensor "Torque between two flanges"
    extends Interfaces.PartialTwoFlanges;
    Modelica.Blocks.Interfaces.RealOutput tau(unit="N.m") "Torque";
  equation
    flange_a.phi = flange_b.phi;
    0 = flange_a.tau + flange_b.tau;
    tau = flange_a.tau;
  end TorqueSensor;
end Sensors;
