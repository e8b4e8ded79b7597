within Modeshift.Examples;
package Electrical "Circuits with ideal switches and diodes"
  extends Modelica.Icons.ExamplesPackage;
  import Modelica.Electrical.Analog.{Basic, Ideal, Sensors, Sources};

  model LowPass "A resistor and a capacitor: one mode"
    extends Modelica.Icons.Example;
    Sources.SineVoltage source(V=1, f=50);
    Basic.Resistor resistor(R=1e3);
    Basic.Capacitor capacitor(C=1e-6);
    Basic.Ground ground;
  equation
    connect(source.p, resistor.p);
    connect(resistor.n, capacitor.p);
    connect(capacitor.n, source.n);
    connect(source.n, ground.p);
  end LowPass;

  model CauerLowPass "Fifth order Cauer filter from inductors and capacitors"
    extends Modelica.Icons.Example;
    Sources.StepVoltage source(V=1, startTime=1);
    Basic.Resistor R1(R=1);
    Basic.Resistor R2(R=1);
    Basic.Capacitor C1(C=1.072);
    Basic.Capacitor C2(C=1/(1.704992^2*1.304));
    Basic.Capacitor C3(C=1.682);
    Basic.Capacitor C4(C=1/(1.179945^2*0.8586));
    Basic.Capacitor C5(C=0.7262);
    Basic.Inductor L1(L=1.304);
    Basic.Inductor L2(L=0.8586);
    Basic.Ground ground;
  equation
    connect(source.p, R1.p);
    connect(R1.n, C1.p);
    connect(R1.n, L1.p);
    connect(R1.n, C2.p);
    connect(L1.n, C3.p);
    connect(C2.n, C3.p);
    connect(C3.p, L2.p);
    connect(C3.p, C4.p);
    connect(L2.n, C5.p);
    connect(C4.n, C5.p);
    connect(C5.p, R2.p);
    connect(source.n, ground.p);
    connect(C1.n, ground.p);
    connect(C3.n, ground.p);
    connect(C5.n, ground.p);
    connect(R2.n, ground.p);
  end CauerLowPass;

  model SwitchedCapacitors
    "A switch connects two charged capacitors: the charge is shared by an impulsive current"
    extends Modelica.Icons.Example;
    Basic.Capacitor C1(C=1, v(start=5));
    Basic.Capacitor C2(C=2, v(start=0));
    Ideal.IdealClosingSwitch switch;
    Modelica.Blocks.Sources.BooleanStep close(startTime=1);
    Basic.Ground ground;
  equation
    connect(C1.p, switch.p);
    connect(switch.n, C2.p);
    connect(C1.n, ground.p);
    connect(C2.n, ground.p);
    connect(close.y, switch.control);
  end SwitchedCapacitors;

  model InterruptedInductor "A switch commutes a current from a source to a free-wheeling resistor"
    extends Modelica.Icons.Example;
    Sources.ConstantVoltage source(V=10);
    Basic.Inductor inductor(L=0.1);
    Basic.Resistor winding(R=1);
    Basic.Resistor freeWheel(R=5);
    Ideal.IdealCommutingSwitch switch;
    Modelica.Blocks.Sources.BooleanPulse control(period=0.2);
    Basic.Ground ground;
  equation
    connect(source.p, switch.n2);
    connect(switch.p, inductor.p);
    connect(inductor.n, winding.p);
    connect(winding.n, source.n);
    connect(switch.n1, freeWheel.p);
    connect(freeWheel.n, source.n);
    connect(source.n, ground.p);
    connect(control.y, switch.control);
  end InterruptedInductor;

  model BuckConverter "Step-down converter with an ideal switch and an ideal diode"
    extends Modelica.Icons.Example;
    Sources.ConstantVoltage source(V=24);
    Basic.Resistor line(R=0.01)
      "Without it, a closed switch and a conducting diode would short the source";
    Ideal.IdealClosingSwitch switch;
    Ideal.IdealDiode diode;
    Basic.Inductor inductor(L=1e-3);
    Basic.Capacitor capacitor(C=1e-4);
    Basic.Resistor load(R=10);
    Basic.Ground ground;
    Modelica.Blocks.Sources.BooleanPulse pwm(period=1e-4, width=40);
  equation
    connect(source.p, line.p);
    connect(line.n, switch.p);
    connect(switch.n, inductor.p);
    connect(diode.n, inductor.p);
    connect(inductor.n, capacitor.p);
    connect(capacitor.p, load.p);
    connect(diode.p, ground.p);
    connect(capacitor.n, ground.p);
    connect(load.n, ground.p);
    connect(source.n, ground.p);
    connect(pwm.y, switch.control);
  end BuckConverter;

  model HalfWaveRectifier "An ideal diode charges a capacitor through a resistor"
    extends Modelica.Icons.Example;
    Sources.SineVoltage source(V=10, f=50);
    Basic.Resistor line(R=0.5);
    Ideal.IdealDiode diode;
    Basic.Capacitor capacitor(C=1e-3);
    Basic.Resistor load(R=100);
    Basic.Ground ground;
  equation
    connect(source.p, line.p);
    connect(line.n, diode.p);
    connect(diode.n, capacitor.p);
    connect(capacitor.p, load.p);
    connect(capacitor.n, ground.p);
    connect(load.n, ground.p);
    connect(source.n, ground.p);
  end HalfWaveRectifier;

  model RLDC2 "Two inductive and two capacitive branches with ideal diodes between the same nodes"
    extends Modelica.Icons.Example;
    Basic.Resistor R1(R=10);
    Basic.Resistor R2(R=20);
    Basic.Inductor L1(L=1, i(start=-1));
    Basic.Inductor L2(L=1, i(start=-1));
    Basic.Capacitor C1(C=0.1, v(start=1));
    Basic.Capacitor C2(C=0.2, v(start=1));
    Ideal.IdealDiode D1;
    Ideal.IdealDiode D2;
    Basic.Ground ground;
  equation
    connect(R1.n, L1.p);
    connect(R2.n, L2.p);
    connect(D1.n, C1.p);
    connect(D2.n, C2.p);
    connect(R1.p, R2.p);
    connect(R1.p, D1.p);
    connect(R1.p, D2.p);
    connect(L1.n, ground.p);
    connect(L2.n, ground.p);
    connect(C1.n, ground.p);
    connect(C2.n, ground.p);
  end RLDC2;
end Electrical;
