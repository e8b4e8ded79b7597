within Modelica;
package Electrical "Electrical models"
  extends Modelica.Icons.Package;
end Electrical;
