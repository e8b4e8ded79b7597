within Modelica.Blocks;
package Continuous "Linear continuous blocks"
  extends Modelica.Icons.Package;
  import Modelica.Blocks.Types.Init;
  import Modelica.Units.SI;

  block Integrator "y = k * integral of u"
    parameter Real k = 1 "Gain";
    parameter Init initType = Init.InitialState "How the block is initialised"
      annotation(Evaluate=true);
    parameter Real y_start = 0 "Initial or guess value of the output";
    extends Interfaces.SISO(y(start=y_start));
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    der(y) = k*u;
  end Integrator;

  block Derivative "Approximated derivative: k*s/(T*s + 1)"
    parameter Real k = 1 "Gain";
    parameter SI.Time T(min=Modelica.Constants.small) = 0.01
      "Time constant of the filter; 0 gives the ideal derivative" annotation(Evaluate=true);
    parameter Init initType = Init.NoInit "How the block is initialised" annotation(Evaluate=true);
    parameter Real x_start = 0 "Initial or guess value of the state";
    extends Interfaces.SISO;
    output Real x(start=x_start) "State of the filter";
  initial equation
    if initType == Init.SteadyState then
      der(x) = 0;
    elseif initType == Init.InitialState then
      x = x_start;
    end if;
  equation
    T*der(x) = u - x;
    y = k/T*(u - x);
  end Derivative;

  block FirstOrder "First order lag: k/(T*s + 1)"
    parameter Real k = 1 "Gain";
    parameter SI.Time T(start=1) = 1 "Time constant";
    parameter Init initType = Init.NoInit "How the block is initialised" annotation(Evaluate=true);
    parameter Real y_start = 0 "Initial or guess value of the output";
    extends Interfaces.SISO(y(start=y_start));
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    T*der(y) = k*u - y;
  end FirstOrder;

  block SecondOrder "Second order lag: k/((s/w)^2 + 2*D*(s/w) + 1)"
    parameter Real k = 1 "Gain";
    parameter Real w(start=1) = 1 "Angular frequency";
    parameter Real D(start=1) = 1 "Damping";
    parameter Init initType = Init.NoInit "How the block is initialised" annotation(Evaluate=true);
    parameter Real y_start = 0 "Initial or guess value of the output";
    parameter Real yd_start = 0 "Initial or guess value of the output's derivative";
    extends Interfaces.SISO(y(start=y_start));
    output Real yd(start=yd_start) "Derivative of the output";
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
      der(yd) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
      yd = yd_start;
    end if;
  equation
    der(y) = yd;
    der(yd) = w*(w*(k*u - y) - 2*D*yd);
  end SecondOrder;

  block PI "Proportional-integral controller: k*(1 + 1/(T*s))"
    parameter Real k = 1 "Gain";
    parameter SI.Time T(start=1, min=Modelica.Constants.small) = 1
      "Time constant of the integrator";
    parameter Init initType = Init.NoInit "How the block is initialised" annotation(Evaluate=true);
    parameter Real x_start = 0 "Initial or guess value of the state";
    extends Interfaces.SISO;
    output Real x(start=x_start) "State of the integrator";
  initial equation
    if initType == Init.SteadyState then
      der(x) = 0;
    elseif initType == Init.InitialState then
      x = x_start;
    end if;
  equation
    der(x) = u/T;
    y = k*(x + u);
  end PI;

  block TransferFunction "Transfer function b(s)/a(s), controller canonical form"
    extends Interfaces.SISO;
    parameter Real b[:] = {1} "Coefficients of the numerator, highest power first";
    parameter Real a[:] = {1} "Coefficients of the denominator, highest power first";
    output Real x[size(a, 1) - 1] "States";
  protected
    parameter Integer na = size(a, 1) "Length of the denominator";
    parameter Integer nb = size(b, 1) "Length of the numerator";
    parameter Integer nx = na - 1 "Number of states";
    parameter Real bb[na] = cat(1, zeros(max(0, na - nb)), b) "Numerator, padded";
    parameter Real d = bb[1]/a[1] "Direct feed-through";
  equation
    assert(na >= nb,
      "The transfer function is not proper: the numerator has a higher degree than the denominator.");
    if nx == 0 then
      y = d*u;
    else
      der(x[1]) = (u - a[2:na]*x)/a[1];
      for i in 2:nx loop
        der(x[i]) = x[i - 1];
      end for;
      y = (bb[2:na] - d*a[2:na])*x + d*u;
    end if;
  end TransferFunction;
end Continuous;
