//! exit: 1
//! code: MS2016 line 9
//! code: MS2016 line 17
//! code: MS2016 line 27
//! code: MS2006 line 34
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
  model Modified
    model Uses
      outer replaceable model M = NotInner;
    end Uses;
    Uses u(redeclare model M = Size);
    inner model M = Size;
  end Modified;
end InnerOuterRules;
