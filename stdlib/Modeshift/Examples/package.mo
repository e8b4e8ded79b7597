within Modeshift;
package Examples "Models that use the library through connectors; each can be checked as it is"
  extends Modelica.Icons.ExamplesPackage;
end Examples;
