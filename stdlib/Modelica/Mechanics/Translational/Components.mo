within Modelica.Mechanics.Translational;
package Components "Masses, springs, stops and brakes"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model Fixed "A flange that does not move"
    parameter SI.Position s0 = 0 "Position";
    Interfaces.Flange_b flange "Flange";
  equation
    flange.s = s0;
  end Fixed;

  model Mass "A sliding mass"
    extends Interfaces.PartialRigid(s(start=0));
    parameter SI.Mass m(min=0, start=1) "Mass";
    SI.Velocity v(start=0) "Velocity";
    SI.Acceleration a "Acceleration";
  equation
    v = der(s);
    a = der(v);
    m*a = flange_a.f + flange_b.f;
  end Mass;

  model Rod "A rod without mass"
    extends Interfaces.PartialRigid;
  equation
    0 = flange_a.f + flange_b.f;
  end Rod;

  model Spring "Linear spring"
    extends Interfaces.PartialCompliant;
    parameter SI.TranslationalSpringConstant c(min=0, start=1) "Spring constant";
    parameter SI.Distance s_rel0 = 0 "Distance without force";
  equation
    f = c*(s_rel - s_rel0);
  end Spring;

  model Damper "Linear damper"
    extends Interfaces.PartialCompliant;
    parameter SI.TranslationalDampingConstant d(min=0, start=0) "Damping constant";
    SI.Velocity v_rel "Relative velocity";
  equation
    v_rel = der(s_rel);
    f = d*v_rel;
  end Damper;

  model SpringDamper "Linear spring and damper in parallel"
    extends Interfaces.PartialCompliant;
    parameter SI.TranslationalSpringConstant c(min=0, start=1) "Spring constant";
    parameter SI.TranslationalDampingConstant d(min=0, start=1) "Damping constant";
    parameter SI.Position s_rel0 = 0 "Distance without spring force";
    SI.Velocity v_rel "Relative velocity";
  equation
    v_rel = der(s_rel);
    f = c*(s_rel - s_rel0) + d*v_rel;
  end SpringDamper;

  model ElastoGap "Spring and damper that act only while the flanges are close"
    extends Interfaces.PartialCompliant;
    parameter SI.TranslationalSpringConstant c(min=0, start=1) "Spring constant";
    parameter SI.TranslationalDampingConstant d(min=0, start=1) "Damping constant";
    parameter SI.Position s_rel0 = 0 "Distance at which the flanges touch";
    Boolean contact "Whether the flanges touch";
    SI.Velocity v_rel "Relative velocity";
  equation
    v_rel = der(s_rel);
    contact = s_rel < s_rel0;
    f = if contact then c*(s_rel - s_rel0) + d*v_rel else 0;
  end ElastoGap;

  model IdealStop "Ideal one-sided stop: the flange cannot go below a position"
    Interfaces.Flange_a flange "Moving part";
    parameter SI.Position s_min = 0 "Position of the stop";
    Boolean contact(start=false) "Whether the flange rests against the stop";
    Boolean pressed(start=true, fixed=true) "Whether q presses against the stop";
    Real q(start=0) "Contact force while in contact, negative distance while free";
  equation
    pressed = q >= 0;
    contact = pre(pressed);
    q = if contact then -flange.f else s_min - flange.s;
    0 = if contact then flange.s - s_min else flange.f;
    annotation(Documentation(info="<html><p>The impact is perfectly inelastic: the velocity becomes zero when contact is made. The flange's force
<code>flange.f</code> is negative while it presses against the stop, and contact ends when it would pull.</p></html>"));
  end IdealStop;

  model IdealBrake "Ideal brake: a rod moves freely or stands still"
    Interfaces.Flange_a flange "Rod";
    Modelica.Blocks.Interfaces.BooleanInput applied "Whether the rod stands still";
    SI.Velocity v "Velocity of the rod";
  equation
    v = der(flange.s);
    if applied then
      v = 0;
    else
      flange.f = 0;
    end if;
  end IdealBrake;

  model IdealCoupling "Ideal coupling: two rods move freely or together"
    extends Interfaces.PartialTwoFlanges;
    Modelica.Blocks.Interfaces.BooleanInput engaged "Whether the rods move together";
    SI.Velocity v_rel "Relative velocity";
    SI.Force f "Force that the coupling transmits";
  equation
    v_rel = der(flange_b.s) - der(flange_a.s);
    flange_b.f = f;
    flange_a.f = -f;
    if engaged then
      v_rel = 0;
    else
      f = 0;
    end if;
  end IdealCoupling;
end Components;
