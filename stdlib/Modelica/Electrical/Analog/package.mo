within Modelica.Electrical;
package Analog "Analog electrical models"
  extends Modelica.Icons.Package;
end Analog;
