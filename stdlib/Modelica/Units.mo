within Modelica;
package Units "Types with units"
  extends Modelica.Icons.TypesPackage;

  package SI "Types of the international system of units"
    extends Modelica.Icons.TypesPackage;

    type Angle = Real(final quantity="Angle", final unit="rad", displayUnit="deg");
    type SolidAngle = Real(final quantity="SolidAngle", final unit="sr");
    type Length = Real(final quantity="Length", final unit="m");
    type PathLength = Real(final quantity="Length", final unit="m");
    type Position = Real(final quantity="Length", final unit="m");
    type Distance = Real(final quantity="Length", final unit="m", min=0);
    type Breadth = Real(final quantity="Length", final unit="m", min=0);
    type Height = Real(final quantity="Length", final unit="m", min=0);
    type Thickness = Real(final quantity="Length", final unit="m", min=0);
    type Radius = Real(final quantity="Length", final unit="m", min=0);
    type Diameter = Real(final quantity="Length", final unit="m", min=0);
    type Area = Real(final quantity="Area", final unit="m2");
    type Volume = Real(final quantity="Volume", final unit="m3");
    type Time = Real(final quantity="Time", final unit="s");
    type Duration = Real(final quantity="Time", final unit="s");
    type Period = Real(final quantity="Time", final unit="s");
    type Frequency = Real(final quantity="Frequency", final unit="Hz");
    type AngularFrequency = Real(final quantity="AngularFrequency", final unit="rad/s");
    type AngularVelocity = Real(final quantity="AngularVelocity", final unit="rad/s");
    type AngularAcceleration = Real(final quantity="AngularAcceleration", final unit="rad/s2");
    type AngularJerk = Real(final quantity="AngularJerk", final unit="rad/s3");
    type Velocity = Real(final quantity="Velocity", final unit="m/s");
    type AbsoluteVelocity = Real(final quantity="Velocity", final unit="m/s", min=0);
    type Acceleration = Real(final quantity="Acceleration", final unit="m/s2");
    type Jerk = Real(final quantity="Jerk", final unit="m/s3");
    type Mass = Real(final quantity="Mass", final unit="kg", min=0);
    type Density = Real(final quantity="Density", final unit="kg/m3", displayUnit="g/cm3", min=0);
    type Inertia = Real(final quantity="MomentOfInertia", final unit="kg.m2");
    type MomentOfInertia = Real(final quantity="MomentOfInertia", final unit="kg.m2");
    type Momentum = Real(final quantity="Momentum", final unit="kg.m/s");
    type AngularMomentum = Real(final quantity="AngularMomentum", final unit="kg.m2/s");
    type Force = Real(final quantity="Force", final unit="N");
    type Torque = Real(final quantity="Torque", final unit="N.m");
    type Impulse = Real(final quantity="Impulse", final unit="N.s");
    type AngularImpulse = Real(final quantity="AngularImpulse", final unit="N.m.s");
    type Pressure = Real(final quantity="Pressure", final unit="Pa", displayUnit="bar");
    type AbsolutePressure = Real(final quantity="Pressure", final unit="Pa", displayUnit="bar",
      min=0);
    type PressureDifference = Real(final quantity="Pressure", final unit="Pa", displayUnit="bar");
    type Energy = Real(final quantity="Energy", final unit="J");
    type Work = Real(final quantity="Work", final unit="J");
    type Heat = Real(final quantity="Energy", final unit="J");
    type Power = Real(final quantity="Power", final unit="W");
    type HeatFlowRate = Real(final quantity="Power", final unit="W");
    type MassFlowRate = Real(final quantity="MassFlowRate", final unit="kg/s");
    type VolumeFlowRate = Real(final quantity="VolumeFlowRate", final unit="m3/s");
    type DynamicViscosity = Real(final quantity="DynamicViscosity", final unit="Pa.s", min=0);
    type TranslationalSpringConstant = Real(final quantity="TranslationalSpringConstant",
      final unit="N/m");
    type TranslationalDampingConstant = Real(final quantity="TranslationalDampingConstant",
      final unit="N.s/m");
    type RotationalSpringConstant = Real(final quantity="RotationalSpringConstant",
      final unit="N.m/rad");
    type RotationalDampingConstant = Real(final quantity="RotationalDampingConstant",
      final unit="N.m.s/rad");
    type Efficiency = Real(final quantity="Efficiency", final unit="1", min=0);
    type CoefficientOfFriction = Real(final quantity="CoefficientOfFriction", final unit="1",
      min=0);
    type ThermodynamicTemperature = Real(final quantity="ThermodynamicTemperature", final unit="K",
      displayUnit="degC", min=0, start=288.15, nominal=300);
    type TemperatureDifference = Real(final quantity="ThermodynamicTemperature", final unit="K");
    type TemperatureSlope = Real(final quantity="TemperatureSlope", final unit="K/s");
    type LinearTemperatureCoefficient = Real(final quantity="LinearTemperatureCoefficient",
      final unit="1/K");
    type ThermalConductivity = Real(final quantity="ThermalConductivity", final unit="W/(m.K)");
    type ThermalConductance = Real(final quantity="ThermalConductance", final unit="W/K");
    type ThermalResistance = Real(final quantity="ThermalResistance", final unit="K/W");
    type HeatCapacity = Real(final quantity="HeatCapacity", final unit="J/K");
    type SpecificHeatCapacity = Real(final quantity="SpecificHeatCapacity", final unit="J/(kg.K)");
    type SpecificEnthalpy = Real(final quantity="SpecificEnergy", final unit="J/kg");
    type SpecificEnergy = Real(final quantity="SpecificEnergy", final unit="J/kg");
    type ElectricCurrent = Real(final quantity="ElectricCurrent", final unit="A");
    type ElectricCharge = Real(final quantity="ElectricCharge", final unit="C");
    type ElectricPotential = Real(final quantity="ElectricPotential", final unit="V");
    type ElectricFieldStrength = Real(final quantity="ElectricFieldStrength", final unit="V/m");
    type Capacitance = Real(final quantity="Capacitance", final unit="F", min=0);
    type Inductance = Real(final quantity="Inductance", final unit="H");
    type Resistance = Real(final quantity="Resistance", final unit="Ohm");
    type Conductance = Real(final quantity="Conductance", final unit="S");
    type Impedance = Real(final quantity="Resistance", final unit="Ohm");
    type Resistivity = Real(final quantity="Resistivity", final unit="Ohm.m");
    type MagneticFlux = Real(final quantity="MagneticFlux", final unit="Wb");
    type MagneticFluxDensity = Real(final quantity="MagneticFluxDensity", final unit="T");
    type ElectricalTorqueConstant = Real(final quantity="ElectricalTorqueConstant",
      final unit="N.m/A");
    type AmountOfSubstance = Real(final quantity="AmountOfSubstance", final unit="mol", min=0);
    type LuminousIntensity = Real(final quantity="LuminousIntensity", final unit="cd");
    type DimensionlessRatio = Real(final unit="1");
    type LinearExpansionCoefficient = Real(final quantity="LinearExpansionCoefficient",
      final unit="1/K");
    type Temperature = ThermodynamicTemperature;
    type Voltage = ElectricPotential;
    type Current = ElectricCurrent;
    type PotentialDifference = ElectricPotential;
  end SI;

  package Conversions "Conversions from and to other units"
    extends Modelica.Icons.Package;

    function from_deg "Degrees to radian"
      input Real degree "Angle in degrees";
      output SI.Angle radian "Angle in radian";
    algorithm
      radian := Modelica.Constants.pi/180*degree;
      annotation(Inline=true);
    end from_deg;

    function to_deg "Radian to degrees"
      input SI.Angle radian "Angle in radian";
      output Real degree "Angle in degrees";
    algorithm
      degree := 180/Modelica.Constants.pi*radian;
      annotation(Inline=true);
    end to_deg;

    function from_rpm "Revolutions per minute to radian per second"
      input Real rpm "Speed in revolutions per minute";
      output SI.AngularVelocity w "Speed in radian per second";
    algorithm
      w := Modelica.Constants.pi/30*rpm;
      annotation(Inline=true);
    end from_rpm;

    function to_rpm "Radian per second to revolutions per minute"
      input SI.AngularVelocity w "Speed in radian per second";
      output Real rpm "Speed in revolutions per minute";
    algorithm
      rpm := 30/Modelica.Constants.pi*w;
      annotation(Inline=true);
    end to_rpm;

    function from_degC "Degrees Celsius to kelvin"
      input Real Celsius "Temperature in degrees Celsius";
      output SI.ThermodynamicTemperature Kelvin "Temperature in kelvin";
    algorithm
      Kelvin := Celsius - Modelica.Constants.T_zero;
      annotation(Inline=true);
    end from_degC;

    function to_degC "Kelvin to degrees Celsius"
      input SI.ThermodynamicTemperature Kelvin "Temperature in kelvin";
      output Real Celsius "Temperature in degrees Celsius";
    algorithm
      Celsius := Kelvin + Modelica.Constants.T_zero;
      annotation(Inline=true);
    end to_degC;

    function from_bar "Bar to pascal"
      input Real bar "Pressure in bar";
      output SI.Pressure Pa "Pressure in pascal";
    algorithm
      Pa := 1e5*bar;
      annotation(Inline=true);
    end from_bar;

    function to_bar "Pascal to bar"
      input SI.Pressure Pa "Pressure in pascal";
      output Real bar "Pressure in bar";
    algorithm
      bar := Pa/1e5;
      annotation(Inline=true);
    end to_bar;
  end Conversions;
end Units;
