within Modelica.Blocks;
package Math "Mathematical blocks"
  extends Modelica.Icons.Package;

  block Gain "Multiplication with a constant"
    parameter Real k(start=1) = 1 "Factor";
    extends Interfaces.SISO;
  equation
    y = k*u;
  end Gain;

  block Add "Weighted sum of two signals"
    extends Interfaces.SI2SO;
    parameter Real k1 = +1 "Weight of the first input";
    parameter Real k2 = +1 "Weight of the second input";
  equation
    y = k1*u1 + k2*u2;
  end Add;

  block Add3 "Weighted sum of three signals"
    parameter Real k1 = +1 "Weight of the first input";
    parameter Real k2 = +1 "Weight of the second input";
    parameter Real k3 = +1 "Weight of the third input";
    Interfaces.RealInput u1 "First input signal";
    Interfaces.RealInput u2 "Second input signal";
    Interfaces.RealInput u3 "Third input signal";
    Interfaces.RealOutput y "Output signal";
  equation
    y = k1*u1 + k2*u2 + k3*u3;
  end Add3;

  block Sum "Weighted sum of a vector of signals"
    extends Interfaces.MISO;
    parameter Real k[nin] = ones(nin) "Weights";
  equation
    y = k*u;
  end Sum;

  block Feedback "Difference of a command and a feedback signal"
    Interfaces.RealInput u1 "Command";
    Interfaces.RealInput u2 "Feedback";
    Interfaces.RealOutput y "Difference";
  equation
    y = u1 - u2;
  end Feedback;

  block Product "Product of two signals"
    extends Interfaces.SI2SO;
  equation
    y = u1*u2;
  end Product;

  block Division "Quotient of two signals"
    extends Interfaces.SI2SO;
  equation
    y = u1/u2;
  end Division;

  block Abs "Absolute value"
    extends Interfaces.SISO;
  equation
    y = abs(u);
  end Abs;

  block Sign "Sign"
    extends Interfaces.SISO;
  equation
    y = sign(u);
  end Sign;

  block Sqrt "Square root (u >= 0)"
    extends Interfaces.SISO;
  equation
    y = sqrt(u);
  end Sqrt;

  block Sin "Sine"
    extends Interfaces.SISO;
  equation
    y = Modelica.Math.sin(u);
  end Sin;

  block Cos "Cosine"
    extends Interfaces.SISO;
  equation
    y = Modelica.Math.cos(u);
  end Cos;

  block Exp "Exponential"
    extends Interfaces.SISO;
  equation
    y = Modelica.Math.exp(u);
  end Exp;

  block Log "Natural logarithm (u > 0)"
    extends Interfaces.SISO;
  equation
    y = Modelica.Math.log(u);
  end Log;

  block Max "Larger of two signals"
    extends Interfaces.SI2SO;
  equation
    y = max(u1, u2);
  end Max;

  block Min "Smaller of two signals"
    extends Interfaces.SI2SO;
  equation
    y = min(u1, u2);
  end Min;

  block BooleanToReal "Boolean to Real"
    Interfaces.BooleanInput u "Input signal";
    Interfaces.RealOutput y "Output signal";
    parameter Real realTrue = 1.0 "Output for true";
    parameter Real realFalse = 0.0 "Output for false";
  equation
    y = if u then realTrue else realFalse;
  end BooleanToReal;

  block RealToBoolean "Real to Boolean by comparison with a threshold"
    Interfaces.RealInput u "Input signal";
    Interfaces.BooleanOutput y "u >= threshold";
    parameter Real threshold = 0.5 "Threshold";
  equation
    y = u >= threshold;
  end RealToBoolean;
end Math;
