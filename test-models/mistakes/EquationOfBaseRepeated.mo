//! exit: 1
//! code: MS4001
//! snapshot
//! mend: 19:
// Wrong: an equation of the base class is written again.
package EquationOfBaseRepeated
  partial model PartialBody
    parameter Real m = 1;
    Real s(start = 0, fixed = true);
    Real v(start = 0, fixed = true);
    Real f;
  equation
    v = der(s);
    m*der(v) = f;
  end PartialBody;
  model Body
    extends PartialBody(m = 2);
  equation
    v = der(s);
    f = -10*s - v;
  end Body;
end EquationOfBaseRepeated;
