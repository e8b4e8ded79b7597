within Modelica.Blocks;
package Sources "Signal sources"
  extends Modelica.Icons.SourcesPackage;
  import Modelica.Units.SI;

  block RealExpression "Output given by a time-varying expression"
    Interfaces.RealOutput y = 0.0 "Value of the output";
  end RealExpression;

  block BooleanExpression "Output given by a time-varying Boolean expression"
    Interfaces.BooleanOutput y = false "Value of the output";
  end BooleanExpression;

  block Constant "Constant signal"
    extends Interfaces.SO;
    parameter Real k = 1 "Value of the output";
  equation
    y = k;
  end Constant;

  block Clock "The current time"
    extends Interfaces.SignalSource;
  equation
    y = offset + (if time < startTime then 0 else time - startTime);
  end Clock;

  block Step "A step"
    extends Interfaces.SignalSource;
    parameter Real height = 1 "Height of the step";
  equation
    y = offset + (if time < startTime then 0 else height);
  end Step;

  block Ramp "A ramp"
    extends Interfaces.SignalSource;
    parameter Real height = 1 "Height of the ramp";
    parameter SI.Time duration(min=0) = 2 "Duration of the ramp; 0 gives a step";
  equation
    y = offset
      + (if time < startTime then 0 elseif time < startTime
        + duration then (time - startTime)*height/duration else height);
  end Ramp;

  block Sine "A sine wave"
    extends Interfaces.SignalSource;
    parameter Real amplitude = 1 "Amplitude";
    parameter SI.Frequency f = 1 "Frequency";
    parameter SI.Angle phase = 0 "Phase";
  equation
    y = offset
      + (if time < startTime then 0
        else amplitude*Modelica.Math.sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
  end Sine;

  block Cosine "A cosine wave"
    extends Interfaces.SignalSource;
    parameter Real amplitude = 1 "Amplitude";
    parameter SI.Frequency f = 1 "Frequency";
    parameter SI.Angle phase = 0 "Phase";
  equation
    y = offset
      + (if time < startTime then 0
        else amplitude*Modelica.Math.cos(2*Modelica.Constants.pi*f*(time - startTime) + phase));
  end Cosine;

  block Pulse "A pulse train"
    extends Interfaces.SignalSource;
    parameter Real amplitude = 1 "Amplitude";
    parameter Real width(min=0, max=100) = 50 "Width of a pulse in percent of the period";
    parameter SI.Time period(min=Modelica.Constants.small) = 1 "Period";
  protected
    discrete SI.Time T_start(start=0, fixed=true) "Start of the current period";
    Boolean pulsing "Whether a pulse is on";
  equation
    when sample(startTime, period) then
      T_start = time;
    end when;
    pulsing = time >= startTime and time < T_start + period*width/100;
    y = offset + (if pulsing then amplitude else 0);
  end Pulse;

  block BooleanConstant "Constant Boolean signal"
    extends Interfaces.partialBooleanSO;
    parameter Boolean k = true "Value of the output";
  equation
    y = k;
  end BooleanConstant;

  block BooleanStep "A Boolean step"
    extends Interfaces.partialBooleanSO;
    parameter SI.Time startTime = 0 "Time of the step";
    parameter Boolean startValue = false "Value before the step";
  equation
    y = if time >= startTime then not startValue else startValue;
  end BooleanStep;

  block BooleanPulse "A Boolean pulse train"
    extends Interfaces.partialBooleanSO;
    parameter Real width(min=0, max=100) = 50 "Width of a pulse in percent of the period";
    parameter SI.Time period(min=Modelica.Constants.small) = 1 "Period";
    parameter SI.Time startTime = 0 "Time of the first pulse";
  protected
    discrete SI.Time pulseStart(start=0, fixed=true) "Start of the current pulse";
  equation
    when sample(startTime, period) then
      pulseStart = time;
    end when;
    y = time >= pulseStart and time < pulseStart + period*width/100 and time >= startTime;
  end BooleanPulse;

  block BooleanTable "A Boolean signal that toggles at given times"
    extends Interfaces.partialBooleanSO;
    parameter Boolean startValue = false "Value before the first entry of the table";
    parameter SI.Time table[:] = {0, 1} "Times at which the output toggles, increasing";
  protected
    parameter Integer n = size(table, 1) "Number of entries";
    Boolean passed[n] "Which entries lie in the past";
  equation
    for i in 1:n loop
      passed[i] = time >= table[i];
    end for;
    y = if mod(sum(if passed[i] then 1 else 0 for i in 1:n), 2) == 1 then not startValue
      else startValue;
  end BooleanTable;
end Sources;
