within Modelica.Thermal.HeatTransfer;
package Celsius "Elements with temperatures in degrees Celsius"
  extends Modelica.Icons.Package;

  model FixedTemperature "Constant temperature in degrees Celsius"
    parameter Real T(unit="degC") "Temperature";
    Interfaces.HeatPort_b port "Port";
  equation
    port.T = T - Modelica.Constants.T_zero;
  end FixedTemperature;
end Celsius;
