within Modelica.Electrical.Analog;
package Basic "Basic elements"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model Ground "Reference potential"
    Interfaces.Pin p "Pin";
  equation
    p.v = 0;
  end Ground;

  model Resistor "Ideal linear resistor"
    extends Interfaces.OnePort;
    parameter SI.Resistance R(start=1) "Resistance";
  equation
    v = R*i;
  end Resistor;

  model Conductor "Ideal linear conductor"
    extends Interfaces.OnePort;
    parameter SI.Conductance G(start=1) "Conductance";
  equation
    i = G*v;
  end Conductor;

  model Capacitor "Ideal linear capacitor"
    extends Interfaces.OnePort(v(start=0));
    parameter SI.Capacitance C(start=1) "Capacitance";
  equation
    i = C*der(v);
  end Capacitor;

  model Inductor "Ideal linear inductor"
    extends Interfaces.OnePort(i(start=0));
    parameter SI.Inductance L(start=1) "Inductance";
  equation
    L*der(i) = v;
  end Inductor;

  model Transformer "Two coupled inductors"
    extends Interfaces.TwoPort(i1(start=0), i2(start=0));
    parameter SI.Inductance L1(start=1) "Inductance of the first winding";
    parameter SI.Inductance L2(start=1) "Inductance of the second winding";
    parameter SI.Inductance M(start=0.5) "Mutual inductance";
  equation
    v1 = L1*der(i1) + M*der(i2);
    v2 = M*der(i1) + L2*der(i2);
  end Transformer;

  model RotationalEMF
    "Electromechanical transducer: voltage and speed, current and torque are proportional"
    parameter Boolean useSupport = false
      "The housing is connected to a support instead of being fixed" annotation(Evaluate=true);
    parameter SI.ElectricalTorqueConstant k(start=1) "Transformation coefficient";
    SI.Voltage v "Voltage drop from p to n";
    SI.Current i "Current from p to n";
    SI.Angle phi "Angle of the shaft relative to the housing";
    SI.AngularVelocity w "Speed of the shaft relative to the housing";
    SI.Torque tau "Torque on the shaft";
    Interfaces.PositivePin p "Positive pin";
    Interfaces.NegativePin n "Negative pin";
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange "Shaft";
    Modelica.Mechanics.Rotational.Interfaces.Support support if useSupport "Housing";
  protected
    Modelica.Mechanics.Rotational.Components.Fixed fixed if not useSupport;
    Modelica.Mechanics.Rotational.Interfaces.InternalSupport internalSupport(tau=-tau);
  equation
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
    phi = flange.phi - internalSupport.phi;
    w = der(phi);
    k*w = v;
    tau = -k*i;
    flange.tau = tau;
    connect(internalSupport.flange, support);
    connect(internalSupport.flange, fixed.flange);
  end RotationalEMF;

  model OpAmp "Ideal operational amplifier: no input voltage, no input current"
    Interfaces.PositivePin in_p "Non-inverting input";
    Interfaces.NegativePin in_n "Inverting input";
    Interfaces.PositivePin out "Output";
  equation
    in_p.v = in_n.v;
    in_p.i = 0;
    in_n.i = 0;
  end OpAmp;
end Basic;
