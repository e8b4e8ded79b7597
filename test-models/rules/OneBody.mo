//! run: check --class Twice
//! exit: 1
//! code: MS2031 line 19
//! run: check --class Inherited
//! exit: 1
//! code: MS2031 line 27
//! run: check --class Foreign
//! exit: 1
//! code: MS2031 line 37
//! run: check --class Right
// A function has one algorithm or one external declaration, those that it inherits included.
package Bodies
  function Base
    input Real x;
    output Real y;
  algorithm
    y := x;
  end Base;
  function TwoSections
    input Real x;
    output Real y;
  algorithm
    y := x;
  algorithm
    y := 2*x;
  end TwoSections;
  function OneMore
    extends Base;
  algorithm
    y := 2*y;
  end OneMore;
  function Outside
    input Real x;
    output Real y;
    external "C" y = outside(x);
  end Outside;
  function Both
    extends Outside;
  algorithm
    y := x;
  end Both;
end Bodies;
model Twice
  Real y = Bodies.TwoSections(time);
end Twice;
model Inherited
  Real y = Bodies.OneMore(time);
end Inherited;
model Foreign
  Real y = Bodies.Both(time);
end Foreign;
model Right
  function Named
    extends Bodies.Base;
  end Named;
  Real y = Named(time);
end Right;
