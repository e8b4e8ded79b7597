within Modelica.Mechanics;
package Rotational "One-dimensional rotational mechanics"
  extends Modelica.Icons.Package;
end Rotational;
