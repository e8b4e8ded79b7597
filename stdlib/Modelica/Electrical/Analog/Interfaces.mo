within Modelica.Electrical.Analog;
package Interfaces "Pins and partial models"
  extends Modelica.Icons.InterfacesPackage;
  import Modelica.Units.SI;

  connector Pin "Electrical pin"
    SI.ElectricPotential v "Potential at the pin";
    flow SI.Current i "Current into the component";
  end Pin;

  connector PositivePin = Pin "Positive pin" annotation(defaultComponentName="pin_p");
  connector NegativePin = Pin "Negative pin" annotation(defaultComponentName="pin_n");

  partial model TwoPin "Two pins and the voltage between them"
    SI.Voltage v "Voltage drop from p to n";
    PositivePin p "Positive pin";
    NegativePin n "Negative pin";
  equation
    v = p.v - n.v;
  end TwoPin;

  partial model OnePort "Two pins with one current through both"
    extends TwoPin;
    SI.Current i "Current from p to n";
  equation
    0 = p.i + n.i;
    i = p.i;
  end OnePort;

  partial model TwoPort "Two pairs of pins"
    SI.Voltage v1 "Voltage drop of the first port";
    SI.Voltage v2 "Voltage drop of the second port";
    SI.Current i1 "Current through the first port";
    SI.Current i2 "Current through the second port";
    PositivePin p1 "Positive pin of the first port";
    NegativePin n1 "Negative pin of the first port";
    PositivePin p2 "Positive pin of the second port";
    NegativePin n2 "Negative pin of the second port";
  equation
    v1 = p1.v - n1.v;
    v2 = p2.v - n2.v;
    0 = p1.i + n1.i;
    0 = p2.i + n2.i;
    i1 = p1.i;
    i2 = p2.i;
  end TwoPort;
end Interfaces;
