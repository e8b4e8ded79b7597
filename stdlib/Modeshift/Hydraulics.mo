within Modeshift;
package Hydraulics "Incompressible flow between open tanks"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  connector Port "Hydraulic port"
    SI.Pressure p "Pressure above ambient";
    flow SI.VolumeFlowRate q "Volume flow into the component";
  end Port;

  partial model TwoPort "Two ports with one flow through both"
    Port port_a "First port";
    Port port_b "Second port";
    SI.PressureDifference dp "port_a.p - port_b.p";
    SI.VolumeFlowRate q "Flow from port_a to port_b";
  equation
    dp = port_a.p - port_b.p;
    port_a.q = q;
    port_b.q = -q;
  end TwoPort;

  model Tank "Open tank with one port at the bottom"
    parameter SI.Area A = 1 "Cross section";
    parameter SI.Density rho = 1000 "Density of the liquid";
    parameter SI.Acceleration g = Modelica.Constants.g_n "Gravity";
    SI.Height level(start=1) "Level of the liquid";
    Port port "Port at the bottom";
  equation
    A*der(level) = port.q;
    port.p = rho*g*level;
  end Tank;

  model Pipe "Pipe with laminar friction"
    extends TwoPort;
    parameter Real k(unit="m3/(s.Pa)", min=0) = 1e-6 "Flow per pressure difference";
  equation
    q = k*dp;
  end Pipe;

  model LongPipe "Pipe with friction and the inertia of its liquid"
    extends TwoPort(q(start=0));
    parameter Real k(unit="m3/(s.Pa)", min=0) = 1e-6 "Flow per pressure difference at rest";
    parameter Real I(unit="kg/m4", min=0) = 1e6 "Inertance rho*length/area";
  equation
    I*der(q) = dp - q/k;
  end LongPipe;

  model CheckValve "Ideal check valve: opens without pressure drop, blocks completely"
    extends TwoPort;
    Boolean open(start=true) "Whether liquid can flow";
    Boolean forward(start=true, fixed=true) "Whether s pushes the valve open";
    Real s(start=0) "Flow while open, pressure difference while closed";
  equation
    forward = s >= 0;
    open = pre(forward);
    s = if open then q else dp;
    0 = if open then dp else q;
  end CheckValve;

  model Valve "Ideal on/off valve"
    extends TwoPort;
    Modelica.Blocks.Interfaces.BooleanInput open "Whether liquid can flow";
  equation
    0 = if open then dp else q;
  end Valve;

  model Pump "Pump with a given flow"
    extends TwoPort;
    Modelica.Blocks.Interfaces.RealInput q_set(unit="m3/s") "Flow from port_a to port_b";
  equation
    q = q_set;
  end Pump;

  model Ambient "Ambient pressure"
    parameter SI.Pressure p = 0 "Pressure above ambient";
    Port port "Port";
  equation
    port.p = p;
  end Ambient;
end Hydraulics;
