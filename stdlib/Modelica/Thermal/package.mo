within Modelica;
package Thermal "Thermal models"
  extends Modelica.Icons.Package;
end Thermal;
