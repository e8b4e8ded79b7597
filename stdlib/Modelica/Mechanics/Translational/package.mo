within Modelica.Mechanics;
package Translational "One-dimensional translational mechanics"
  extends Modelica.Icons.Package;
end Translational;
