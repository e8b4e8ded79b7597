//! exit: 1
//! code: MS2001 line 20
//! snapshot
//! mend: 18+:   inner Ambience ambience(T = 290);
// Wrong: what the components expect around them is not declared.
package InnerForgotten
  model Ambience
    parameter Real T = 300;
  end Ambience;
  model Body
    outer Ambience ambience;
    Real T(start = 350, fixed = true);
  equation
    der(T) = ambience.T - T;
  end Body;
  model Room
    Body body;
    Real difference;
  equation
    difference = body.T - ambience.T;
  end Room;
end InnerForgotten;
