within Modelica.Thermal;
package HeatTransfer "Lumped heat transfer"
  extends Modelica.Icons.Package;
end HeatTransfer;
