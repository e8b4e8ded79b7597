within Modelica.Mechanics.Rotational;
package Sources "Torques and prescribed motion"
  extends Modelica.Icons.SourcesPackage;
  import Modelica.Units.SI;

  model Torque "Torque given by a signal"
    extends Interfaces.PartialElementaryOneFlange;
    Modelica.Blocks.Interfaces.RealInput tau(unit="N.m") "Accelerating torque";
  equation
    flange.tau = -tau;
  end Torque;

  model ConstantTorque "Constant torque"
    extends Interfaces.PartialElementaryOneFlange;
    parameter SI.Torque tau_constant "Accelerating torque";
  equation
    flange.tau = -tau_constant;
  end ConstantTorque;

  model Speed "Speed given by a signal"
    extends Interfaces.PartialElementaryOneFlange;
    Modelica.Blocks.Interfaces.RealInput w_ref(unit="rad/s") "Speed";
  equation
    der(flange.phi) = w_ref;
  end Speed;

  model ConstantSpeed "Constant speed"
    extends Interfaces.PartialElementaryOneFlange;
    parameter SI.AngularVelocity w_fixed "Speed";
  equation
    der(flange.phi) = w_fixed;
  end ConstantSpeed;

  model Position "Angle given by a signal"
    extends Interfaces.PartialElementaryOneFlange;
    Modelica.Blocks.Interfaces.RealInput phi_ref(unit="rad") "Angle";
  equation
    flange.phi = phi_ref;
  end Position;

  model QuadraticSpeedDependentTorque "Load torque that grows with the square of the speed"
    extends Interfaces.PartialElementaryOneFlange;
    parameter SI.Torque tau_nominal "Torque at nominal speed; negative is a load";
    parameter SI.AngularVelocity w_nominal(min=Modelica.Constants.eps) "Nominal speed";
    SI.AngularVelocity w "Speed";
  equation
    w = der(flange.phi);
    flange.tau = -tau_nominal*(w/w_nominal)*abs(w/w_nominal);
  end QuadraticSpeedDependentTorque;
end Sources;
