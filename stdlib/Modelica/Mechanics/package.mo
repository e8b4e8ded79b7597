within Modelica;
package Mechanics "Mechanical models"
  extends Modelica.Icons.Package;
end Mechanics;
