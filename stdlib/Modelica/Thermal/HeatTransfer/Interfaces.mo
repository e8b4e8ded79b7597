within Modelica.Thermal.HeatTransfer;
package Interfaces "Heat ports and partial models"
  extends Modelica.Icons.InterfacesPackage;
  import Modelica.Units.SI;

  partial connector HeatPort "What heat ports have in common"
    SI.Temperature T "Temperature";
    flow SI.HeatFlowRate Q_flow "Heat flow into the component";
  end HeatPort;

  connector HeatPort_a "Heat port"
    extends HeatPort;
  end HeatPort_a;

  connector HeatPort_b "Heat port"
    extends HeatPort;
  end HeatPort_b;

  partial model Element1D "Heat flow between two ports without storage"
    SI.HeatFlowRate Q_flow "Heat flow from port_a to port_b";
    SI.TemperatureDifference dT "port_a.T - port_b.T";
    HeatPort_a port_a "First port";
    HeatPort_b port_b "Second port";
  equation
    dT = port_a.T - port_b.T;
    port_a.Q_flow = Q_flow;
    port_b.Q_flow = -Q_flow;
  end Element1D;
end Interfaces;
