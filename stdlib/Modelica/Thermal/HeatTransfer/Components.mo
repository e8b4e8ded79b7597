within Modelica.Thermal.HeatTransfer;
package Components "Storage and transport of heat"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model HeatCapacitor "Heat storage"
    parameter SI.HeatCapacity C "Heat capacity";
    SI.Temperature T(start=293.15, displayUnit="degC") "Temperature";
    SI.TemperatureSlope der_T(start=0) "Its derivative";
    Interfaces.HeatPort_a port "Port";
  equation
    T = port.T;
    der_T = der(T);
    C*der(T) = port.Q_flow;
  end HeatCapacitor;

  model ThermalConductor "Heat conduction by a conductance"
    extends Interfaces.Element1D;
    parameter SI.ThermalConductance G "Conductance";
  equation
    Q_flow = G*dT;
  end ThermalConductor;

  model ThermalResistor "Heat conduction by a resistance"
    extends Interfaces.Element1D;
    parameter SI.ThermalResistance R "Resistance";
  equation
    dT = R*Q_flow;
  end ThermalResistor;

  model Convection "Heat flow between a solid and a fluid"
    SI.HeatFlowRate Q_flow "Heat flow from solid to fluid";
    SI.TemperatureDifference dT "solid.T - fluid.T";
    Modelica.Blocks.Interfaces.RealInput Gc(unit="W/K") "Convective conductance";
    Interfaces.HeatPort_a solid "Solid side";
    Interfaces.HeatPort_b fluid "Fluid side";
  equation
    dT = solid.T - fluid.T;
    solid.Q_flow = Q_flow;
    fluid.Q_flow = -Q_flow;
    Q_flow = Gc*dT;
  end Convection;

  model BodyRadiation "Radiation between two bodies"
    extends Interfaces.Element1D;
    parameter Real Gr(unit="m2") "Net radiation conductance";
  equation
    Q_flow = Gr*Modelica.Constants.sigma*(port_a.T^4 - port_b.T^4);
  end BodyRadiation;

  model IdealContact "Ideal thermal contact: two bodies touch or do not"
    extends Interfaces.Element1D;
    Modelica.Blocks.Interfaces.BooleanInput closed "Whether the bodies touch";
  equation
    0 = if closed then dT else Q_flow;
  end IdealContact;
end Components;
