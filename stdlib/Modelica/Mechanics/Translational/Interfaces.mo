within Modelica.Mechanics.Translational;
package Interfaces "Flanges and partial models"
  extends Modelica.Icons.InterfacesPackage;
  import Modelica.Units.SI;

  connector Flange_a "Flange of a rod"
    SI.Position s "Absolute position";
    flow SI.Force f "Cut force";
  end Flange_a;

  connector Flange_b "Flange of a rod"
    SI.Position s "Absolute position";
    flow SI.Force f "Cut force";
  end Flange_b;

  partial model PartialTwoFlanges "Two flanges"
    Flange_a flange_a "Left flange";
    Flange_b flange_b "Right flange";
  end PartialTwoFlanges;

  partial model PartialRigid "Two flanges at a fixed distance"
    extends PartialTwoFlanges;
    parameter SI.Length L = 0 "Distance of the flanges";
    SI.Position s "Position of the middle";
  equation
    flange_a.s = s - L/2;
    flange_b.s = s + L/2;
  end PartialRigid;

  partial model PartialCompliant "Two flanges that move against each other, one force"
    extends PartialTwoFlanges;
    SI.Distance s_rel(min=-Modelica.Constants.inf, start=0) "Distance flange_b.s - flange_a.s";
    SI.Force f "Force between the flanges";
  equation
    s_rel = flange_b.s - flange_a.s;
    flange_b.f = f;
    flange_a.f = -f;
  end PartialCompliant;
end Interfaces;
