//! exit: 1
//! code: MS2016 line 9
//! code: MS2016 line 17
//! code: MS2016 line 27
//! code: MS2006 line 37
// Wrong: an outer element has an inner one of its own kind, type and size.
package InnerOuterRules
  model Outer
    outer Real x[2];
  end Outer;
  model Size
    inner Real x[3] = {1, 2, 3};
    Outer o;
  end Size;
  model NotInner
    model Reads
      outer Real t;
    end Reads;
    Reads r;
    Real t = time;
  end NotInner;
  model KindOfElement
    model Uses
      outer model M = Size;
      M m;
    end Uses;
    inner Real M = 1;
    Uses u;
  end KindOfElement;
  model Clock
    Real t = time;
  end Clock;
  model Modified
    model Uses
      outer replaceable model M = Clock;
    end Uses;
    Uses u(redeclare model M = Clock);
    inner model M = Clock;
  end Modified;
end InnerOuterRules;
