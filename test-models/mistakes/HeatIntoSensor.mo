//! exit: 1
//! code: MS4001 line 7
//! snapshot
//! mend: 12:   connect(heater.port, slab.port); connect(slab.port, sensor.port);
model HeatIntoSensor "Heater that nobody cools"
  Modelica.Blocks.Sources.Constant power(k = 50);
  Modelica.Thermal.HeatTransfer.Sources.PrescribedHeatFlow heater;
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor slab(C = 500, T(start = 293.15, fixed = true));
  Modelica.Thermal.HeatTransfer.Sensors.TemperatureSensor sensor;
equation
  connect(power.y, heater.Q_flow);
  connect(heater.port, sensor.port);
end HeatIntoSensor;
