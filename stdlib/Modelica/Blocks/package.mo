within Modelica;
package Blocks "Input/output blocks"
  extends Modelica.Icons.Package;
end Blocks;
