within Modelica.Mechanics.Rotational;
package Components "Shafts, springs, gears, clutches and brakes"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model Fixed "A flange that does not turn"
    parameter SI.Angle phi0 = 0 "Angle";
    Interfaces.Flange_b flange "Flange";
  equation
    flange.phi = phi0;
  end Fixed;

  model Inertia "A shaft with inertia"
    Interfaces.Flange_a flange_a "Left flange";
    Interfaces.Flange_b flange_b "Right flange";
    parameter SI.Inertia J(min=0, start=1) "Moment of inertia";
    SI.Angle phi(start=0) "Angle";
    SI.AngularVelocity w(start=0) "Speed";
    SI.AngularAcceleration a "Acceleration";
  equation
    phi = flange_a.phi;
    phi = flange_b.phi;
    w = der(phi);
    a = der(w);
    J*a = flange_a.tau + flange_b.tau;
  end Inertia;

  model Spring "Linear spring"
    extends Interfaces.PartialCompliant;
    parameter SI.RotationalSpringConstant c(min=0, start=1e5) "Spring constant";
    parameter SI.Angle phi_rel0 = 0 "Relative angle without torque";
  equation
    tau = c*(phi_rel - phi_rel0);
  end Spring;

  model Damper "Linear damper"
    extends Interfaces.PartialCompliantWithRelativeStates;
    parameter SI.RotationalDampingConstant d(min=0, start=0) "Damping constant";
  equation
    tau = d*w_rel;
  end Damper;

  model SpringDamper "Linear spring and damper in parallel"
    extends Interfaces.PartialCompliantWithRelativeStates;
    parameter SI.RotationalSpringConstant c(min=0, start=1e5) "Spring constant";
    parameter SI.RotationalDampingConstant d(min=0, start=0) "Damping constant";
    parameter SI.Angle phi_rel0 = 0 "Relative angle without spring torque";
  equation
    tau = c*(phi_rel - phi_rel0) + d*w_rel;
  end SpringDamper;

  model IdealGear "Gear without inertia"
    extends Interfaces.PartialElementaryTwoFlangesAndSupport;
    parameter Real ratio(start=1) "Transmission ratio flange_a.phi / flange_b.phi";
    SI.Angle phi_a "Angle of the left flange relative to the housing";
    SI.Angle phi_b "Angle of the right flange relative to the housing";
  equation
    phi_a = flange_a.phi - phi_support;
    phi_b = flange_b.phi - phi_support;
    phi_a = ratio*phi_b;
    0 = ratio*flange_a.tau + flange_b.tau;
  end IdealGear;

  model IdealPlanetary "Planetary gear without inertia"
    parameter Real ratio(start=100/50) "Number of ring teeth / sun teeth";
    Interfaces.Flange_a sun "Sun";
    Interfaces.Flange_a carrier "Carrier";
    Interfaces.Flange_b ring "Ring";
  equation
    (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi;
    ring.tau = ratio*sun.tau;
    carrier.tau = -(1 + ratio)*sun.tau;
  end IdealPlanetary;

  model IdealClutch "Ideal clutch: two shafts turn freely or together"
    extends Interfaces.PartialTwoFlanges;
    Modelica.Blocks.Interfaces.BooleanInput engaged "Whether the shafts turn together";
    SI.AngularVelocity w_rel "Relative speed der(flange_b.phi) - der(flange_a.phi)";
    SI.Torque tau "Torque that the clutch transmits";
  equation
    w_rel = der(flange_b.phi) - der(flange_a.phi);
    flange_b.tau = tau;
    flange_a.tau = -tau;
    if engaged then
      w_rel = 0;
    else
      tau = 0;
    end if;
    annotation(Documentation(info="<html><p>When the clutch engages, shafts of different speed are brought to one common speed in zero time by an
impulsive torque that keeps the angular momentum. The angles stay as they are.</p></html>"));
  end IdealClutch;

  model OneWayClutch "Ideal free wheel: flange_b may run ahead of flange_a"
    extends Interfaces.PartialTwoFlanges;
    Boolean locked(start=false) "Whether the shafts turn together";
    Boolean driven(start=true, fixed=true) "Whether s keeps the shafts together";
    Real s(start=0) "Torque while locked, negative relative speed while free";
    SI.AngularVelocity w_rel "Relative speed der(flange_b.phi) - der(flange_a.phi)";
    SI.Torque tau "Torque that the clutch transmits from a to b";
  equation
    w_rel = der(flange_b.phi) - der(flange_a.phi);
    flange_b.tau = -tau;
    flange_a.tau = tau;
    driven = s >= 0;
    locked = pre(driven);
    s = if locked then tau else -w_rel;
    0 = if locked then w_rel else tau;
  end OneWayClutch;

  model IdealBrake "Ideal brake: a shaft turns freely or stands still"
    Interfaces.Flange_a flange "Shaft";
    Modelica.Blocks.Interfaces.BooleanInput applied "Whether the shaft stands still";
    SI.AngularVelocity w "Speed of the shaft";
  equation
    w = der(flange.phi);
    if applied then
      w = 0;
    else
      flange.tau = 0;
    end if;
  end IdealBrake;

  model BearingFriction "Linear bearing friction"
    extends Interfaces.PartialTwoFlanges;
    parameter SI.RotationalDampingConstant d(min=0) = 0 "Friction torque per speed";
    SI.AngularVelocity w "Speed of the shaft";
  equation
    flange_a.phi = flange_b.phi;
    w = der(flange_a.phi);
    flange_a.tau + flange_b.tau = d*w;
  end BearingFriction;
end Components;
