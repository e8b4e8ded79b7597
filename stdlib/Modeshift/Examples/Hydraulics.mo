within Modeshift.Examples;
package Hydraulics "Tanks, pipes, valves"
  extends Modelica.Icons.ExamplesPackage;
  import Modeshift.Hydraulics.{Ambient, CheckValve, LongPipe, Pipe, Pump, Tank, Valve};

  model TwoTanks "Two tanks and a pipe: one mode"
    extends Modelica.Icons.Example;
    Tank left(level(start=2));
    Tank right(level(start=1));
    Pipe pipe;
  equation
    connect(left.port, pipe.port_a);
    connect(pipe.port_b, right.port);
  end TwoTanks;

  model ConnectedTanks "An ideal valve joins two tanks: the levels jump to the common one"
    extends Modelica.Icons.Example;
    Tank left(A=1, level(start=2));
    Tank right(A=3, level(start=1));
    Valve valve;
    Modelica.Blocks.Sources.BooleanStep open(startTime=1);
  equation
    connect(left.port, valve.port_a);
    connect(valve.port_b, right.port);
    connect(open.y, valve.open);
  end ConnectedTanks;

  model CheckedTanks "A check valve with a pipe in series lets liquid pass in one direction only"
    extends Modelica.Icons.Example;
    Tank left(level(start=2));
    Tank right(level(start=1));
    Pipe pipe;
    CheckValve valve;
  equation
    connect(left.port, pipe.port_a);
    connect(pipe.port_b, valve.port_a);
    connect(valve.port_b, right.port);
  end CheckedTanks;

  model WaterHammer "A check valve against the inertia of a long pipe"
    extends Modelica.Icons.Example;
    Tank tank(level(start=2));
    LongPipe pipe;
    CheckValve valve;
    Ambient outlet(p=5e3);
  equation
    connect(tank.port, pipe.port_a);
    connect(pipe.port_b, valve.port_a);
    connect(valve.port_b, outlet.port);
  end WaterHammer;
end Hydraulics;
