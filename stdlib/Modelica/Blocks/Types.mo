within Modelica.Blocks;
package Types "Choices"
  extends Modelica.Icons.TypesPackage;

  type Init = enumeration(
    NoInit "No initial equation; start values are guesses",
    SteadyState "Derivatives are zero",
    InitialState "States have their start values",
    InitialOutput "Outputs have their start values") "How a block is initialised";
end Types;
