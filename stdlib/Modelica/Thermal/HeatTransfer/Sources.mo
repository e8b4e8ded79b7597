within Modelica.Thermal.HeatTransfer;
package Sources "Heat sources"
  extends Modelica.Icons.SourcesPackage;
  import Modelica.Units.SI;

  model FixedTemperature "Constant temperature"
    parameter SI.Temperature T "Temperature";
    Interfaces.HeatPort_b port "Port";
  equation
    port.T = T;
  end FixedTemperature;

  model PrescribedTemperature "Temperature given by a signal"
    Interfaces.HeatPort_b port "Port";
    Modelica.Blocks.Interfaces.RealInput T(unit="K") "Temperature";
  equation
    port.T = T;
  end PrescribedTemperature;

  model FixedHeatFlow "Constant heat flow"
    parameter SI.HeatFlowRate Q_flow "Heat flow out of the source";
    Interfaces.HeatPort_b port "Port";
  equation
    port.Q_flow = -Q_flow;
  end FixedHeatFlow;

  model PrescribedHeatFlow "Heat flow given by a signal"
    Modelica.Blocks.Interfaces.RealInput Q_flow(unit="W") "Heat flow out of the source";
    Interfaces.HeatPort_b port "Port";
  equation
    port.Q_flow = -Q_flow;
  end PrescribedHeatFlow;
end Sources;
