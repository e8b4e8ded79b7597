within;
package Modelica "The part of the Modelica Standard Library's names that modeshift brings along"
  extends Modelica.Icons.Package;
  annotation(
    version="4.0.0",
    Documentation(info="<html><p>A small library of our own. See the README beside it for what it covers and where
it differs: ideal elements are true multimode components.</p></html>"));
end Modelica;
