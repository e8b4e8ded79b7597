within Modeshift.Examples;
package Thermal "Bodies that exchange heat"
  extends Modelica.Icons.ExamplesPackage;
  import Modelica.Thermal.HeatTransfer.{Components, Sensors, Sources};

  model TwoMasses "Two bodies and a conductor between them: one mode"
    extends Modelica.Icons.Example;
    Components.HeatCapacitor mass1(C=15, T(start=373.15, fixed=true));
    Components.HeatCapacitor mass2(C=15, T(start=273.15, fixed=true));
    Components.ThermalConductor conductor(G=10);
  equation
    connect(mass1.port, conductor.port_a);
    connect(conductor.port_b, mass2.port);
  end TwoMasses;

  model IdealContact "Two bodies are pressed together: the temperatures jump to the common one"
    extends Modelica.Icons.Example;
    Components.HeatCapacitor hot(C=10, T(start=400));
    Components.HeatCapacitor cold(C=30, T(start=300));
    Components.IdealContact contact;
    Modelica.Blocks.Sources.BooleanStep touch(startTime=1);
  equation
    connect(hot.port, contact.port_a);
    connect(contact.port_b, cold.port);
    connect(touch.y, contact.closed);
  end IdealContact;

  model Thermostat "A room with an on/off heater"
    extends Modelica.Icons.Example;
    Components.HeatCapacitor room(C=1e5, T(start=290, fixed=true));
    Components.ThermalConductor wall(G=50);
    Sources.FixedTemperature outside(T=273.15);
    Sources.PrescribedHeatFlow heater;
    Sensors.TemperatureSensor sensor;
    Modelica.Blocks.Logical.OnOffController controller(bandwidth=1);
    Modelica.Blocks.Sources.Constant reference(k=294);
    Modelica.Blocks.Math.BooleanToReal power(realTrue=2000);
  equation
    connect(room.port, wall.port_a);
    connect(wall.port_b, outside.port);
    connect(heater.port, room.port);
    connect(sensor.port, room.port);
    connect(reference.y, controller.reference);
    connect(sensor.T, controller.u);
    connect(controller.y, power.u);
    connect(power.y, heater.Q_flow);
  end Thermostat;
end Thermal;
