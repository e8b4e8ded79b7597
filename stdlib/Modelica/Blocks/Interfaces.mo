within Modelica.Blocks;
package Interfaces "Signal connectors and partial blocks"
  extends Modelica.Icons.InterfacesPackage;

  connector RealInput = input Real "Real signal into a block";
  connector RealOutput = output Real "Real signal out of a block";
  connector BooleanInput = input Boolean "Boolean signal into a block";
  connector BooleanOutput = output Boolean "Boolean signal out of a block";
  connector IntegerInput = input Integer "Integer signal into a block";
  connector IntegerOutput = output Integer "Integer signal out of a block";

  partial block SO "Single output"
    RealOutput y "Output signal";
  end SO;

  partial block SI "Single input"
    RealInput u "Input signal";
  end SI;

  partial block SISO "Single input, single output"
    RealInput u "Input signal";
    RealOutput y "Output signal";
  end SISO;

  partial block SI2SO "Two inputs, single output"
    RealInput u1 "First input signal";
    RealInput u2 "Second input signal";
    RealOutput y "Output signal";
  end SI2SO;

  partial block MISO "Several inputs, single output"
    parameter Integer nin = 1 "Number of inputs";
    RealInput u[nin] "Input signals";
    RealOutput y "Output signal";
  end MISO;

  partial block SignalSource "Source of a Real signal with offset and start time"
    extends SO;
    parameter Real offset = 0 "Offset of the output";
    parameter Modelica.Units.SI.Time startTime = 0 "Output is the offset before this time";
  end SignalSource;

  partial block partialBooleanSI "Single Boolean input"
    BooleanInput u "Input signal";
  end partialBooleanSI;

  partial block partialBooleanSO "Single Boolean output"
    BooleanOutput y "Output signal";
  end partialBooleanSO;

  partial block partialBooleanSISO "Single Boolean input, single Boolean output"
    BooleanInput u "Input signal";
    BooleanOutput y "Output signal";
  end partialBooleanSISO;

  partial block partialBooleanSI2SO "Two Boolean inputs, single Boolean output"
    BooleanInput u1 "First input signal";
    BooleanInput u2 "Second input signal";
    BooleanOutput y "Output signal";
  end partialBooleanSI2SO;
end Interfaces;
