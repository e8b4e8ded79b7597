within Modelica.Electrical.Analog;
package Sources "Voltage and current sources"
  extends Modelica.Icons.SourcesPackage;
  import Modelica.Units.SI;

  model SignalVoltage "Voltage given by a signal"
    extends Interfaces.TwoPin;
    SI.Current i "Current from p to n";
    Modelica.Blocks.Interfaces.RealInput u(unit="V") "Voltage from p to n";
  equation
    v = u;
    0 = p.i + n.i;
    i = p.i;
  end SignalVoltage;

  model ConstantVoltage "Constant voltage"
    extends Interfaces.OnePort;
    parameter SI.Voltage V(start=1) "Voltage from p to n";
  equation
    v = V;
  end ConstantVoltage;

  model StepVoltage "Voltage step"
    extends Interfaces.OnePort;
    parameter SI.Voltage V(start=1) "Height of the step";
    parameter SI.Voltage offset = 0 "Voltage before the step";
    parameter SI.Time startTime = 0 "Time of the step";
  equation
    v = offset + (if time < startTime then 0 else V);
  end StepVoltage;

  model SineVoltage "Sine voltage"
    extends Interfaces.OnePort;
    parameter SI.Voltage V(start=1) "Amplitude";
    parameter SI.Angle phase = 0 "Phase";
    parameter SI.Frequency f(start=1) "Frequency";
    parameter SI.Voltage offset = 0 "Offset";
    parameter SI.Time startTime = 0 "Voltage is the offset before this time";
  equation
    v = offset
      + (if time < startTime then 0
        else V*Modelica.Math.sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
  end SineVoltage;

  model RampVoltage "Voltage ramp"
    extends Interfaces.OnePort;
    parameter SI.Voltage V(start=1) "Height of the ramp";
    parameter SI.Time duration(start=2) "Duration of the ramp";
    parameter SI.Voltage offset = 0 "Voltage before the ramp";
    parameter SI.Time startTime = 0 "Start of the ramp";
  equation
    v = offset
      + (if time < startTime then 0 elseif time < startTime
        + duration then (time - startTime)*V/duration else V);
  end RampVoltage;

  model SignalCurrent "Current given by a signal"
    extends Interfaces.TwoPin;
    Modelica.Blocks.Interfaces.RealInput i(unit="A") "Current from p to n";
  equation
    0 = p.i + n.i;
    i = p.i;
  end SignalCurrent;

  model ConstantCurrent "Constant current"
    extends Interfaces.OnePort;
    parameter SI.Current I(start=1) "Current from p to n";
  equation
    i = I;
  end ConstantCurrent;

  model StepCurrent "Current step"
    extends Interfaces.OnePort;
    parameter SI.Current I(start=1) "Height of the step";
    parameter SI.Current offset = 0 "Current before the step";
    parameter SI.Time startTime = 0 "Time of the step";
  equation
    i = offset + (if time < startTime then 0 else I);
  end StepCurrent;

  model SineCurrent "Sine current"
    extends Interfaces.OnePort;
    parameter SI.Current I(start=1) "Amplitude";
    parameter SI.Angle phase = 0 "Phase";
    parameter SI.Frequency f(start=1) "Frequency";
    parameter SI.Current offset = 0 "Offset";
    parameter SI.Time startTime = 0 "Current is the offset before this time";
  equation
    i = offset
      + (if time < startTime then 0
        else I*Modelica.Math.sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
  end SineCurrent;
end Sources;
