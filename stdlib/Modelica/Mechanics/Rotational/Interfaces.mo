within Modelica.Mechanics.Rotational;
package Interfaces "Flanges and partial models"
  extends Modelica.Icons.InterfacesPackage;
  import Modelica.Units.SI;

  connector Flange_a "Flange of a shaft"
    SI.Angle phi "Absolute angle";
    flow SI.Torque tau "Cut torque";
  end Flange_a;

  connector Flange_b "Flange of a shaft"
    SI.Angle phi "Absolute angle";
    flow SI.Torque tau "Cut torque";
  end Flange_b;

  connector Support "Housing of a shaft"
    SI.Angle phi "Absolute angle";
    flow SI.Torque tau "Reaction torque";
  end Support;

  model InternalSupport "Adapter between a component's equations and its conditional support"
    input SI.Torque tau "Torque at the support";
    SI.Angle phi "Angle of the support";
    Flange_a flange "To the support";
  equation
    flange.tau = tau;
    flange.phi = phi;
  end InternalSupport;

  partial model PartialTwoFlanges "Two flanges"
    Flange_a flange_a "Left flange";
    Flange_b flange_b "Right flange";
  end PartialTwoFlanges;

  partial model PartialCompliant "Two flanges that turn against each other, one torque"
    extends PartialTwoFlanges;
    SI.Angle phi_rel(start=0) "Relative angle flange_b.phi - flange_a.phi";
    SI.Torque tau "Torque between the flanges";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    flange_b.tau = tau;
    flange_a.tau = -tau;
  end PartialCompliant;

  partial model PartialCompliantWithRelativeStates "As PartialCompliant, with the relative speed"
    extends PartialTwoFlanges;
    SI.Angle phi_rel(start=0) "Relative angle flange_b.phi - flange_a.phi";
    SI.AngularVelocity w_rel(start=0) "Relative speed";
    SI.Torque tau "Torque between the flanges";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    w_rel = der(phi_rel);
    flange_b.tau = tau;
    flange_a.tau = -tau;
  end PartialCompliantWithRelativeStates;

  partial model PartialElementaryTwoFlangesAndSupport "Two flanges and an optional housing"
    extends PartialTwoFlanges;
    parameter Boolean useSupport = false
      "The housing is connected to a support instead of being fixed" annotation(Evaluate=true);
    Support support(phi=phi_support, tau=-flange_a.tau - flange_b.tau) if useSupport "Housing";
  protected
    SI.Angle phi_support "Angle of the housing";
  equation
    if not useSupport then
      phi_support = 0;
    end if;
  end PartialElementaryTwoFlangesAndSupport;

  partial model PartialElementaryOneFlange "One flange, a fixed housing"
    Flange_b flange "Flange";
  end PartialElementaryOneFlange;
end Interfaces;
