within;
package Modeshift "Models of our own beside the names of the Modelica Standard Library"
  extends Modelica.Icons.Package;
end Modeshift;
