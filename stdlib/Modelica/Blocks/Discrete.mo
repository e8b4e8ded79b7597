within Modelica.Blocks;
package Discrete "Sampled blocks"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  partial block SampledSISO "Single input, single output, evaluated periodically"
    parameter SI.Time samplePeriod(min=Modelica.Constants.small, start=0.1) = 0.1 "Sample period";
    parameter SI.Time startTime = 0 "First sample";
    Interfaces.RealInput u "Input signal";
    Interfaces.RealOutput y "Output signal";
  protected
    Boolean sampleTrigger "True at a sample instant";
  equation
    sampleTrigger = sample(startTime, samplePeriod);
  end SampledSISO;

  block Sampler "Sample and hold"
    extends SampledSISO;
  equation
    when sampleTrigger then
      y = u;
    end when;
  end Sampler;

  block UnitDelay "Sample and hold, one period late"
    parameter Real y_start = 0 "Output before the first sample";
    extends SampledSISO(y(start=y_start, fixed=true));
  protected
    discrete Real held(start=y_start, fixed=true) "Input at the last sample";
  equation
    when sampleTrigger then
      held = u;
      y = pre(held);
    end when;
  end UnitDelay;
end Discrete;
