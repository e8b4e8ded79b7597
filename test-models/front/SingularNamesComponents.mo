//! run: check
//! exit: 1
//! code: MS3006 line 25
//! code: MS4013 line 20
//! stderr: `r` has 2 equations too few (2 equations for 4 unknowns)
// Where the structure says that a model is singular, counting says which component is off.
model SingularNamesComponents
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Source
    Pin p;
  equation
    p.v = time;
  end Source;
  model Forgetful
    Pin p;
    Real power;
    Real heat;
  equation
    power = p.v * p.i;
  end Forgetful;
  Source s;
  Forgetful r;
equation
  connect(s.p, r.p);
end SingularNamesComponents;
