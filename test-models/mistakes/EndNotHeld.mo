//! exit: 1
//! code: MS6010 line 26
//! snapshot
// Wrong: a component asserts that its end is connected, and it is not.
package EndNotHeld
  connector End
    Real phi;
    flow Real tau;
  end End;
  model Hinge
    End a;
    Real w;
  equation
    assert(cardinality(a) > 0, "The end of the hinge is not held");
    w = der(a.phi);
    a.tau = w;
  end Hinge;
  model Weight
    End a;
    Real w(start = 0, fixed = true);
  equation
    w = der(a.phi);
    der(w) = a.tau;
  end Weight;
  model Test
    Hinge hinge;
    Weight weight;
  end Test;
end EndNotHeld;
