within Modeshift.Examples;
package Translational "Masses, stops, couplings"
  extends Modelica.Icons.ExamplesPackage;
  import Modelica.Mechanics.Translational.Components;
  import Modelica.Mechanics.Translational.Sources;

  model FallingMass "A mass falls on an ideal stop and stays there"
    extends Modelica.Icons.Example;
    Components.Mass mass(m=2, s(start=1));
    Components.IdealStop floor;
    Sources.ConstantForce weight(f_constant=-2*Modelica.Constants.g_n);
  equation
    connect(weight.flange, mass.flange_a);
    connect(mass.flange_a, floor.flange);
  end FallingMass;

  model CoupledCarts "Two carts that are coupled while they move"
    extends Modelica.Icons.Example;
    Components.Mass cart1(m=1, v(start=2));
    Components.Mass cart2(m=3, s(start=1));
    Components.IdealCoupling coupling;
    Modelica.Blocks.Sources.BooleanStep engage(startTime=0.4);
  equation
    connect(cart1.flange_b, coupling.flange_a);
    connect(coupling.flange_b, cart2.flange_a);
    connect(engage.y, coupling.engaged);
  end CoupledCarts;

  model ElasticContact "A mass against an elastic gap: modes of equal structure"
    extends Modelica.Icons.Example;
    Components.Mass mass(m=1, s(start=1), v(start=-1));
    Components.ElastoGap gap(c=1e4, d=10, s_rel0=0);
    Components.Fixed wall;
  equation
    connect(wall.flange, gap.flange_a);
    connect(gap.flange_b, mass.flange_a);
  end ElasticContact;

  model BrakedOscillator "A mass on a spring that an ideal brake holds"
    extends Modelica.Icons.Example;
    Components.Mass mass(m=1, s(start=1));
    Components.Spring spring(c=10);
    Components.Fixed wall;
    Components.IdealBrake brake;
    Modelica.Blocks.Sources.BooleanPulse apply(period=2, width=25);
  equation
    connect(wall.flange, spring.flange_a);
    connect(spring.flange_b, mass.flange_a);
    connect(mass.flange_b, brake.flange);
    connect(apply.y, brake.applied);
  end BrakedOscillator;
end Translational;
