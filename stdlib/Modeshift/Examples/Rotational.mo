within Modeshift.Examples;
package Rotational "Shafts, clutches, brakes"
  extends Modelica.Icons.ExamplesPackage;
  import Modelica.Mechanics.Rotational.Components;
  import Modelica.Mechanics.Rotational.Sources;

  model TwoInertias
    "Two shafts, rigidly connected, that start with different speeds: 8 rad/s after the first instant"
    extends Modelica.Icons.Example;
    Components.Inertia inertia1(J=0.1);
    Components.Inertia inertia2(J=0.4, w(start=10));
  equation
    connect(inertia1.flange_b, inertia2.flange_a);
  end TwoInertias;

  model ClutchedInertias "Two shafts and an ideal clutch that engages at one second"
    extends Modelica.Icons.Example;
    Components.Inertia inertia1(J=1, w(start=1));
    Components.Inertia inertia2(J=2, w(start=1.5));
    Components.IdealClutch clutch;
    Modelica.Blocks.Sources.BooleanStep engage(startTime=1);
  equation
    connect(inertia1.flange_b, clutch.flange_a);
    connect(clutch.flange_b, inertia2.flange_a);
    connect(engage.y, clutch.engaged);
  end ClutchedInertias;

  model MotorAndLoad
    "A motor with a capacitor across it drives a load through a clutch: 6.4 rad/s after the first instant"
    extends Modelica.Icons.Example;
    Modelica.Electrical.Analog.Sources.ConstantVoltage source(V=10);
    Modelica.Electrical.Analog.Basic.Resistor resistor(R=5);
    Modelica.Electrical.Analog.Basic.Capacitor capacitor(C=2);
    Modelica.Electrical.Analog.Basic.RotationalEMF emf(k=0.25);
    Modelica.Electrical.Analog.Basic.Ground ground;
    Components.Inertia inertia1(J=0.1);
    Components.IdealClutch clutch;
    Components.Inertia inertia2(J=0.4, w(start=10));
    Modelica.Blocks.Sources.BooleanExpression engaged(y=time < 100 or time >= 300);
  equation
    connect(source.p, resistor.p);
    connect(resistor.n, capacitor.p);
    connect(capacitor.p, emf.p);
    connect(capacitor.n, emf.n);
    connect(source.n, emf.n);
    connect(emf.n, ground.p);
    connect(emf.flange, inertia1.flange_a);
    connect(inertia1.flange_b, clutch.flange_a);
    connect(clutch.flange_b, inertia2.flange_a);
    connect(engaged.y, clutch.engaged);
  end MotorAndLoad;

  model Gearbox "Three shafts in a row with a clutch between each two"
    extends Modelica.Icons.Example;
    parameter Integer n = 3 "Number of shafts";
    Components.Inertia shaft[n](J={1, 2, 3}, w(start={1, 0, 2}));
    Components.IdealClutch clutch[n - 1];
    Modelica.Blocks.Sources.BooleanStep engage[n - 1](startTime={1, 2});
    Components.Damper load(d=0.1);
    Components.Fixed fixed;
  equation
    for k in 1:n - 1 loop
      connect(shaft[k].flange_b, clutch[k].flange_a);
      connect(clutch[k].flange_b, shaft[k + 1].flange_a);
      connect(engage[k].y, clutch[k].engaged);
    end for;
    connect(shaft[n].flange_b, load.flange_a);
    connect(load.flange_b, fixed.flange);
  end Gearbox;

  model BrakedShaft "A driven shaft that an ideal brake stops"
    extends Modelica.Icons.Example;
    Components.Inertia inertia(J=1, w(start=5));
    Components.IdealBrake brake;
    Sources.ConstantTorque drive(tau_constant=1);
    Modelica.Blocks.Sources.BooleanStep apply(startTime=2);
  equation
    connect(drive.flange, inertia.flange_a);
    connect(inertia.flange_b, brake.flange);
    connect(apply.y, brake.applied);
  end BrakedShaft;

  model FreeWheel "A shaft drives another one through a free wheel"
    extends Modelica.Icons.Example;
    Components.Inertia driver(J=1, w(start=0));
    Components.Inertia wheel(J=1, w(start=3));
    Components.OneWayClutch freeWheel;
    Sources.ConstantTorque drive(tau_constant=2);
    Components.Damper drag(d=0.2);
    Components.Fixed fixed;
  equation
    connect(drive.flange, driver.flange_a);
    connect(driver.flange_b, freeWheel.flange_a);
    connect(freeWheel.flange_b, wheel.flange_a);
    connect(wheel.flange_b, drag.flange_a);
    connect(drag.flange_b, fixed.flange);
  end FreeWheel;

  model GearedClutch "A clutch behind an ideal gear"
    extends Modelica.Icons.Example;
    Components.Inertia motor(J=0.5, w(start=100));
    Components.IdealGear gear(ratio=5);
    Components.IdealClutch clutch;
    Components.Inertia load(J=10);
    Modelica.Blocks.Sources.BooleanStep engage(startTime=0.5);
  equation
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, clutch.flange_a);
    connect(clutch.flange_b, load.flange_a);
    connect(engage.y, clutch.engaged);
  end GearedClutch;

  model TorsionalOscillator "Two inertias, a spring and a damper: one mode"
    extends Modelica.Icons.Example;
    Components.Inertia inertia1(J=1, phi(start=0.1));
    Components.SpringDamper springDamper(c=100, d=0.5);
    Components.Inertia inertia2(J=2);
  equation
    connect(inertia1.flange_b, springDamper.flange_a);
    connect(springDamper.flange_b, inertia2.flange_a);
  end TorsionalOscillator;
end Rotational;
