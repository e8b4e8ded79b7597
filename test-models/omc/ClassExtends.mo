//! run: flatten --class ClassExtends
// Class extends: redeclare model extends and redeclare function extends add to an inherited class.
package Base
  replaceable model Element
    parameter Real R = 1;
    Real u, i;
  equation
    u = R*i;
  end Element;
  replaceable partial function law
    input Real x;
    output Real y;
  end law;
end Base;

package Measured
  extends Base;
  redeclare model extends Element(R = 5)
    Real power "added";
  equation
    power = u*i;
  end Element;
  redeclare function extends law
    input Real gain = 2;
  algorithm
    y := gain*x;
  end law;
end Measured;

package Counted
  extends Measured;
  redeclare model extends Element
    Real energy(start = 0, fixed = true);
  equation
    der(energy) = power;
  end Element;
end Counted;

model ClassExtends
  Base.Element a(u = time);
  Measured.Element b(u = time);
  Counted.Element c(R = 7, u = time);
  Real y2 = Measured.law(time), y3 = Counted.law(time, 4);
end ClassExtends;
