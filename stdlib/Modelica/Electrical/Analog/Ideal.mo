within Modelica.Electrical.Analog;
package Ideal "Ideal switching elements: true multimode components"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  partial model IdealSemiconductor "Voltage and current as a curve over the parameter s"
    extends Interfaces.OnePort;
    parameter SI.Resistance Ron(min=0) = 0 "Resistance while conducting; 0 is ideal"
      annotation(Evaluate=true);
    parameter SI.Conductance Goff(min=0) = 0 "Conductance while blocking; 0 is ideal"
      annotation(Evaluate=true);
    parameter SI.Voltage Vknee(min=0) = 0 "Forward threshold voltage";
    Boolean off(start=true) "Whether the element blocks";
    Boolean reversed(start=false, fixed=true) "Whether s is on the blocking side of the curve";
    Real s(start=0)
      "Curve parameter: current while conducting, voltage beyond the knee while blocking";
  equation
    reversed = s < 0;
    v = (if off then s else Ron*s) + Vknee;
    i = if off then Goff*(s + Vknee) else s;
  end IdealSemiconductor;

  model IdealDiode "Ideal diode"
    extends IdealSemiconductor;
  equation
    off = pre(reversed);
    annotation(Documentation(info="<html><p>While the diode conducts its voltage is <code>Vknee</code> and <code>s</code> is the
current; while it blocks its current is zero and <code>s</code> is the voltage. The mode is chosen by
the sign that <code>s</code> had just before: a guard on its current value would be a logico-numerical fixpoint.</p></html>"));
  end IdealDiode;

  model IdealThyristor "Ideal thyristor"
    extends IdealSemiconductor;
    Modelica.Blocks.Interfaces.BooleanInput fire "Gate signal";
  equation
    off = pre(reversed) or pre(off) and not fire;
  end IdealThyristor;

  model IdealGTOThyristor "Ideal thyristor that can be turned off by its gate"
    extends IdealSemiconductor;
    Modelica.Blocks.Interfaces.BooleanInput fire "Gate signal";
  equation
    off = pre(reversed) or not fire;
  end IdealGTOThyristor;

  partial model IdealSwitch "A switch that is open or closed"
    extends Interfaces.OnePort;
    parameter SI.Resistance Ron(min=0) = 0 "Resistance while closed; 0 is ideal"
      annotation(Evaluate=true);
    parameter SI.Conductance Goff(min=0) = 0 "Conductance while open; 0 is ideal"
      annotation(Evaluate=true);
    Boolean off "Whether the switch is open";
    Real s "Current while closed, voltage while open";
  equation
    v = if off then s else Ron*s;
    i = if off then Goff*s else s;
  end IdealSwitch;

  model IdealOpeningSwitch "Ideal switch, open while the control signal is true"
    extends IdealSwitch;
    Modelica.Blocks.Interfaces.BooleanInput control "true: open";
  equation
    off = control;
  end IdealOpeningSwitch;

  model IdealClosingSwitch "Ideal switch, closed while the control signal is true"
    extends IdealSwitch;
    Modelica.Blocks.Interfaces.BooleanInput control "true: closed";
  equation
    off = not control;
  end IdealClosingSwitch;

  model IdealCommutingSwitch "Ideal switch between two branches"
    parameter SI.Resistance Ron(min=0) = 0 "Resistance while closed; 0 is ideal"
      annotation(Evaluate=true);
    parameter SI.Conductance Goff(min=0) = 0 "Conductance while open; 0 is ideal"
      annotation(Evaluate=true);
    Interfaces.PositivePin p "Common pin";
    Interfaces.NegativePin n2 "Connected to p while the control signal is true";
    Interfaces.NegativePin n1 "Connected to p while the control signal is false";
    Modelica.Blocks.Interfaces.BooleanInput control "true: p-n2 closed, false: p-n1 closed";
  protected
    Real s1 "Curve parameter of the branch to n1";
    Real s2 "Curve parameter of the branch to n2";
  equation
    0 = p.i + n1.i + n2.i;
    p.v - n1.v = if control then s1 else Ron*s1;
    n1.i = -(if control then Goff*s1 else s1);
    p.v - n2.v = if control then Ron*s2 else s2;
    n2.i = -(if control then s2 else Goff*s2);
  end IdealCommutingSwitch;

  model Idle "An open circuit"
    extends Interfaces.OnePort;
  equation
    i = 0;
  end Idle;

  model Short "A short circuit"
    extends Interfaces.OnePort;
  equation
    v = 0;
  end Short;

  model IdealTransformer "Ideal transformer"
    extends Interfaces.TwoPort;
    parameter Real n(start=1) "Turns ratio primary to secondary";
  equation
    v1 = n*v2;
    i2 = -n*i1;
  end IdealTransformer;
end Ideal;
