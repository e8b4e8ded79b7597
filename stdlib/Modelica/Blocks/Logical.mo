within Modelica.Blocks;
package Logical "Boolean blocks and switches"
  extends Modelica.Icons.Package;

  block And "Conjunction"
    extends Interfaces.partialBooleanSI2SO;
  equation
    y = u1 and u2;
  end And;

  block Or "Disjunction"
    extends Interfaces.partialBooleanSI2SO;
  equation
    y = u1 or u2;
  end Or;

  block Xor "Exclusive disjunction"
    extends Interfaces.partialBooleanSI2SO;
  equation
    y = not (u1 and u2 or not u1 and not u2);
  end Xor;

  block Not "Negation"
    extends Interfaces.partialBooleanSISO;
  equation
    y = not u;
  end Not;

  block Pre "Left limit of a Boolean: breaks algebraic loops between Boolean blocks"
    parameter Boolean pre_u_start = false "Value before the first instant";
    extends Interfaces.partialBooleanSISO;
  initial equation
    pre(u) = pre_u_start;
  equation
    y = pre(u);
  end Pre;

  block Edge "True at the instant at which the input becomes true"
    parameter Boolean pre_u_start = false "Value before the first instant";
    extends Interfaces.partialBooleanSISO;
  initial equation
    pre(u) = pre_u_start;
  equation
    y = edge(u);
  end Edge;

  block GreaterThreshold "u > threshold"
    parameter Real threshold = 0 "Threshold";
    Interfaces.RealInput u "Input signal";
    Interfaces.BooleanOutput y "Output signal";
  equation
    y = u > threshold;
  end GreaterThreshold;

  block LessThreshold "u < threshold"
    parameter Real threshold = 0 "Threshold";
    Interfaces.RealInput u "Input signal";
    Interfaces.BooleanOutput y "Output signal";
  equation
    y = u < threshold;
  end LessThreshold;

  block Greater "u1 > u2"
    Interfaces.RealInput u1 "First input signal";
    Interfaces.RealInput u2 "Second input signal";
    Interfaces.BooleanOutput y "Output signal";
  equation
    y = u1 > u2;
  end Greater;

  block Less "u1 < u2"
    Interfaces.RealInput u1 "First input signal";
    Interfaces.RealInput u2 "Second input signal";
    Interfaces.BooleanOutput y "Output signal";
  equation
    y = u1 < u2;
  end Less;

  block Hysteresis "Boolean with two thresholds"
    parameter Real uLow(start=0) = 0 "Becomes false when the input falls below";
    parameter Real uHigh(start=1) = 1 "Becomes true when the input rises above";
    parameter Boolean pre_y_start = false "Value before the first instant";
    Interfaces.RealInput u "Input signal";
    Interfaces.BooleanOutput y "Output signal";
  initial equation
    pre(y) = pre_y_start;
  equation
    assert(uHigh > uLow, "The upper threshold of a hysteresis lies above the lower one.");
    y = not pre(y) and u > uHigh or pre(y) and u >= uLow;
  end Hysteresis;

  block OnOffController "On/off controller with a band around the reference"
    parameter Real bandwidth(start=0.1) = 0.1 "Width of the band";
    parameter Boolean pre_y_start = false "Value before the first instant";
    Interfaces.RealInput reference "Reference signal";
    Interfaces.RealInput u "Measured signal";
    Interfaces.BooleanOutput y "True while the measured signal is to rise";
  initial equation
    pre(y) = pre_y_start;
  equation
    y = pre(y) and u < reference + bandwidth/2 or u < reference - bandwidth/2;
  end OnOffController;

  block Switch "Chooses one of two signals"
    Interfaces.RealInput u1 "Output while u2 is true";
    Interfaces.BooleanInput u2 "Choice";
    Interfaces.RealInput u3 "Output while u2 is false";
    Interfaces.RealOutput y "Output signal";
  equation
    y = if u2 then u1 else u3;
  end Switch;

  block LogicalSwitch "Chooses one of two Boolean signals"
    Interfaces.BooleanInput u1 "Output while u2 is true";
    Interfaces.BooleanInput u2 "Choice";
    Interfaces.BooleanInput u3 "Output while u2 is false";
    Interfaces.BooleanOutput y "Output signal";
  equation
    y = if u2 then u1 else u3;
  end LogicalSwitch;

  block RSFlipFlop "Set/reset flip-flop; reset wins"
    parameter Boolean Qini = false "Value before the first instant";
    Interfaces.BooleanInput S "Set";
    Interfaces.BooleanInput R "Reset";
    Interfaces.BooleanOutput Q "State";
    Interfaces.BooleanOutput QI "Negated state";
  initial equation
    pre(Q) = Qini;
  equation
    Q = not R and (S or pre(Q));
    QI = not Q;
  end RSFlipFlop;

  block Timer "Time since the input became true"
    Interfaces.BooleanInput u "Input signal";
    Interfaces.RealOutput y "Elapsed time, 0 while the input is false";
  protected
    discrete Modelica.Units.SI.Time entryTime "Time at which the input became true";
  initial equation
    pre(entryTime) = 0;
  equation
    when u then
      entryTime = time;
    end when;
    y = if u then time - entryTime else 0;
  end Timer;
end Logical;
