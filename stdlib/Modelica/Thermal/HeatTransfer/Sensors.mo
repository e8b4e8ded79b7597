within Modelica.Thermal.HeatTransfer;
package Sensors "Ideal sensors"
  extends Modelica.Icons.SensorsPackage;

  model TemperatureSensor "Temperature of a port"
    Modelica.Blocks.Interfaces.RealOutput T(unit="K") "Temperature";
    Interfaces.HeatPort_a port "Port";
  equation
    T = port.T;
    port.Q_flow = 0;
  end TemperatureSensor;

  model HeatFlowSensor "Heat flow between two ports"
    Modelica.Blocks.Interfaces.RealOutput Q_flow(unit="W") "Heat flow from port_a to port_b";
    Interfaces.HeatPort_a port_a "First port";
    Interfaces.HeatPort_b port_b "Second port";
  equation
    port_a.T = port_b.T;
    port_a.Q_flow + port_b.Q_flow = 0;
    Q_flow = port_a.Q_flow;
  end HeatFlowSensor;
end Sensors;
