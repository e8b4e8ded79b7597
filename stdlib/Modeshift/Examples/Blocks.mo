within Modeshift.Examples;
package Blocks "Signals"
  extends Modelica.Icons.ExamplesPackage;

  model SpeedControl "A PI controller holds the speed of an inertia"
    extends Modelica.Icons.Example;
    Modelica.Blocks.Sources.Step reference(height=10, startTime=1);
    Modelica.Blocks.Math.Feedback error;
    Modelica.Blocks.Continuous.PI controller(k=2, T=0.5,
      initType=Modelica.Blocks.Types.Init.InitialState);
    Modelica.Blocks.Nonlinear.Limiter limiter(uMax=5);
    Modelica.Mechanics.Rotational.Sources.Torque drive;
    Modelica.Mechanics.Rotational.Components.Inertia inertia(J=1);
    Modelica.Mechanics.Rotational.Sensors.SpeedSensor speed;
  equation
    connect(reference.y, error.u1);
    connect(error.y, controller.u);
    connect(controller.y, limiter.u);
    connect(limiter.y, drive.tau);
    connect(drive.flange, inertia.flange_a);
    connect(inertia.flange_b, speed.flange);
    connect(speed.w, error.u2);
  end SpeedControl;

  model Filter "A transfer function driven by a pulse train"
    extends Modelica.Icons.Example;
    Modelica.Blocks.Sources.Pulse pulse(period=2);
    Modelica.Blocks.Continuous.TransferFunction filter(b={1}, a={1, 1.4, 1});
    Modelica.Blocks.Continuous.Integrator area;
  equation
    connect(pulse.y, filter.u);
    connect(filter.y, area.u);
  end Filter;
end Blocks;
