//! exit: 1
//! code: MS2039 line 21
//! code: MS2039 line 26
//! code: MS2003 line 31
//! code: MS2003 line 38
//! code: MS2003 line 45
//! code: MS2042 line 50
//! code: MS2009 line 55
// Wrong: names that mean nothing, two things, or something else than what is needed.
package MeaningOfNames
  package A
    model M Real x = time; end M;
    constant Real c = 1;
  protected
    constant Real hidden = 2;
  end A;
  package B
    model M Real x = time; end M;
  end B;
  model ImportedTwice
    import M = MeaningOfNames.A.M; import M = MeaningOfNames.B.M;
    M m;
  end ImportedTwice;
  model ImportedWithAll
    import MeaningOfNames.A.*;
    import MeaningOfNames.B.*;
    M m;
  end ImportedWithAll;
  model TypeIsNoValue
    Boolean b[Boolean];
  equation b = Boolean;
  end TypeIsNoValue;
  model Parts
    A.M one, two;
    Real x = time;
  equation
    x = one.x;
    one = two;
  end Parts;
  model WithPackage
    package P constant Real k = 1; end P;
  end WithPackage;
  model ThroughComponent
    WithPackage w;
    Real x = w.P.k;
  end ThroughComponent;
  model Functional function f input Real u; output Real y = u; algorithm end f; end Functional;
  model OfAnElement
    Functional f[2];
    Real y = f[1].f(time);
  end OfAnElement;
  model Protected
    model Inside
      import MeaningOfNames.A.c;
      Real z = A.hidden;
    end Inside;
    Inside i;
  end Protected;
end MeaningOfNames;
