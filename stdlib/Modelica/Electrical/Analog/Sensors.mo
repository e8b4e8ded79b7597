within Modelica.Electrical.Analog;
package Sensors "Ideal sensors"
  extends Modelica.Icons.SensorsPackage;
  import Modelica.Units.SI;

  model PotentialSensor "Potential of a pin"
    Interfaces.PositivePin p "Pin";
    Modelica.Blocks.Interfaces.RealOutput phi(unit="V") "Potential";
  equation
    p.i = 0;
    phi = p.v;
  end PotentialSensor;

  model VoltageSensor "Voltage between two pins"
    Interfaces.PositivePin p "Positive pin";
    Interfaces.NegativePin n "Negative pin";
    Modelica.Blocks.Interfaces.RealOutput v(unit="V") "Voltage from p to n";
  equation
    p.i = 0;
    n.i = 0;
    v = p.v - n.v;
  end VoltageSensor;

  model CurrentSensor "Current through the sensor"
    Interfaces.PositivePin p "Positive pin";
    Interfaces.NegativePin n "Negative pin";
    Modelica.Blocks.Interfaces.RealOutput i(unit="A") "Current from p to n";
  equation
    p.v = n.v;
    p.i = i;
    n.i = -i;
  end CurrentSensor;
end Sensors;
